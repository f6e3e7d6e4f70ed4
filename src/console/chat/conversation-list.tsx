import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { hashOf } from '../app/route.ts';
import { IconButton, TextButton } from '../ui/buttons.tsx';
import { saveFile } from '../ui/save-file.ts';
import { titleOf } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import { asMarkdown } from './export.ts';

interface ListProps {
  conversations: Conversations;
  /** Id of the one that is shown. */
  shown: string;
  onNew: () => void;
  onOpen: () => void;
}

/** All conversations, and whether they are kept. */
export function ConversationList({ conversations, shown, onNew, onOpen }: ListProps): VNode {
  const list = conversations.list.value;
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
                label={`Save ${title} as Markdown`}
                onClick={() => saveFile(asMarkdown(conversation), 'chat.md', 'text/markdown')}
              />
              <IconButton icon="trash" label={`Delete ${title}`} onClick={() => deleteOne(id)} />
            </li>
          );
        })}
      </ul>
      {list.length === 0 && <p class="note">No chats yet.</p>}
      <div class="button-row">
        {list.length > 0 && (
          <>
            <TextButton
              onClick={() => saveFile(JSON.stringify(list), 'chats.json', 'application/json')}
            >
              Save all as JSON
            </TextButton>
            <TextButton
              class="button danger"
              onClick={() => (isSure.value ? deleteAll() : (isSure.value = true))}
            >
              {isSure.value ? 'Really delete all?' : 'Delete all'}
            </TextButton>
          </>
        )}
        <TextButton class="button primary" onClick={onNew}>
          New chat
        </TextButton>
      </div>
    </>
  );
}

function Keeping({ conversations }: { conversations: Conversations }): VNode {
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
        Keep chats on this device
      </label>
      <p class="note">
        {isKept
          ? 'They are stored in this browser, and nowhere else.'
          : 'They are not stored: they end with this tab.'}
      </p>
      {failure !== '' && (
        <p class="note" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}
