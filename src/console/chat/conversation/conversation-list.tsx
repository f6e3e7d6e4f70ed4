import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { hashOf } from '../../app/route.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { IconButton, TextButton } from '../../ui/buttons.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { titleOf } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import { asMarkdown } from './export.ts';

interface ListProps {
  conversations: Conversations;
  /** Id of the conversation that is shown. */
  shown: string;
  onNew: () => void;
  onOpen: () => void;
}

/** All conversations, and whether they are kept. */
export function ConversationList({ conversations, shown, onNew, onOpen }: ListProps): VNode {
  const list = conversations.list.value;
  const { chat } = messages.value;
  const text = chat.list;
  const isSure = useSignal(false);
  const deleteOne = (id: string) => {
    if (id === shown) onNew();
    void conversations.delete(id);
  };
  const deleteAll = () => {
    onNew();
    void conversations.deleteAll();
  };
  return (
    <>
      <Keeping conversations={conversations} />
      <ul class="conversations">
        {list.map((conversation) => {
          const { id } = conversation;
          const title = titleOf(conversation);
          return (
            <li key={id} aria-current={id === shown}>
              <a href={hashOf({ page: 'chat', item: id })} onClick={onOpen}>
                {title}
              </a>
              <IconButton
                icon="download"
                label={fill(text.save, { title })}
                onClick={() => saveFile(asMarkdown(conversation), 'chat.md', 'text/markdown')}
              />
              <IconButton
                icon="trash"
                label={fill(text.delete, { title })}
                onClick={() => deleteOne(id)}
              />
            </li>
          );
        })}
      </ul>
      {list.length === 0 && <p class="note">{text.none}</p>}
      <div class="button-row">
        {list.length > 0 && (
          <>
            <TextButton
              onClick={() => saveFile(JSON.stringify(list), 'chats.json', 'application/json')}
            >
              {text.saveAll}
            </TextButton>
            <TextButton
              class="button danger"
              onClick={() => (isSure.value ? deleteAll() : (isSure.value = true))}
            >
              {isSure.value ? text.reallyDelete : text.deleteAll}
            </TextButton>
          </>
        )}
        <TextButton class="button primary" onClick={onNew}>
          {chat.newChat}
        </TextButton>
      </div>
    </>
  );
}

function Keeping({ conversations }: { conversations: Conversations }): VNode {
  const text = messages.value.chat.list;
  const isKept = conversations.isKept.value;
  const failure = conversations.failure.value;
  return (
    <div>
      <label class="check">
        <input
          type="checkbox"
          checked={isKept}
          onChange={({ currentTarget }) => void conversations.keep(currentTarget.checked)}
        />
        {text.keep}
      </label>
      <p class="note">{isKept ? text.kept : text.notKept}</p>
      {failure !== '' && (
        <p class="note" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
