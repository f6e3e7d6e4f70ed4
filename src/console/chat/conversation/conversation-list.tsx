import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { IconButton, TextButton } from '../../ui/buttons.tsx';
import { offerUndo } from '../../ui/undo.tsx';
import { ConversationRow } from './conversation-row.tsx';
import { PRIVATE, titleOf, type Conversation } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import { Files } from './files/files.tsx';
import { Keeping } from './keeping.tsx';
import { hasWords, pinnedFirst } from './search.ts';

interface ListProps {
  conversations: Conversations;
  /** Id of the conversation that is shown. */
  shown: string;
  onNew: (kind?: typeof PRIVATE) => void;
  /** Closes the dialog that shows the list: a chat is opened, or Undo is offered outside the dialog. */
  onLeave?: () => void;
}

/** All conversations: to be searched, opened, named, pinned, deleted and saved, and whether they are kept. */
export function ConversationList({ conversations, shown, onNew, onLeave }: ListProps): VNode {
  const query = useSignal('');
  const list = conversations.list.value;
  const { chat } = messages.value;
  const text = chat.list;
  const found = pinnedFirst(list.filter((one) => hasWords(one, query.value)));
  const remove = (removed: readonly Conversation[], said: string) => {
    if (removed.some(({ id }) => id === shown)) onNew();
    void conversations.delete(...removed.map(({ id }) => id));
    onLeave?.();
    offerUndo(said, () => void conversations.save(...removed));
  };
  return (
    <>
      <div class="new-chats">
        <TextButton class="button primary" onClick={() => onNew()}>
          {chat.newChat}
        </TextButton>
        <IconButton icon="lock" label={chat.privateChat} onClick={() => onNew(PRIVATE)} />
      </div>
      {list.length > 0 && (
        <input
          type="search"
          class="field"
          aria-label={text.search}
          placeholder={text.search}
          value={query.value}
          onInput={({ currentTarget }) => (query.value = currentTarget.value)}
        />
      )}
      <ul class="conversations">
        {found.map((conversation) => (
          <ConversationRow
            key={conversation.id}
            conversation={conversation}
            isShown={conversation.id === shown}
            onOpen={onLeave}
            onChange={(changed) => void conversations.save(changed)}
            onDelete={() =>
              remove([conversation], fill(text.deleted, { title: titleOf(conversation) }))
            }
          />
        ))}
      </ul>
      {found.length === 0 && <p class="note">{list.length === 0 ? text.none : text.noMatch}</p>}
      <div class="conversations-foot">
        <Keeping conversations={conversations} />
        <div class="button-row">
          <Files conversations={conversations} />
          {list.length > 0 && (
            <TextButton
              class="button danger"
              onClick={() => remove(list, fill(text.deletedAll, { count: list.length }))}
            >
              {text.deleteAll}
            </TextButton>
          )}
        </div>
      </div>
    </>
  );
}
