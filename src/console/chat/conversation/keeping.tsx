import type { VNode } from 'preact';
import { messages } from '../../messages/messages.ts';
import { Checkbox } from '../../ui/fields.tsx';
import { isPrivate, type Conversation } from './conversation.ts';
import type { Conversations } from './conversations.ts';

/** Whether chats are kept, with the switch. */
export function Keeping({ conversations }: { conversations: Conversations }): VNode {
  const text = messages.value.chat.list;
  const isKept = conversations.isKept.value;
  const failure = conversations.failure.value;
  return (
    <div class="keeping">
      <Checkbox checked={isKept} onChange={(checked) => void conversations.keep(checked)}>
        {text.keep}
      </Checkbox>
      <p class="note">{isKept ? text.kept : text.notKept}</p>
      {failure !== '' && (
        <p class="note" role="alert">
          {failure}
        </p>
      )}
    </div>
  );
}

interface LineProps {
  conversations: Conversations;
  conversation: Conversation;
}

/** Says below the first answer of a chat where the chat is kept; below each answer of a private one that it is not. */
export function KeepingLine({ conversations, conversation }: LineProps): VNode | null {
  if (isPrivate(conversation.id))
    return <p class="note keeping">{messages.value.chat.privateNote}</p>;
  const questions = conversation.turns.filter(({ role }) => role === 'user');
  return questions.length === 1 ? <Keeping conversations={conversations} /> : null;
}
