import type { VNode } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Session } from '../app/session.ts';
import type { Conversation } from '../chat/conversation/conversation.ts';
import { messages } from '../messages/messages.ts';
import { readySpeaker } from '../speech/speakers.ts';
import { TextButton } from '../ui/buttons.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Talk } from './talk.ts';

interface TalkProps {
  session: Session;
  conversation: Conversation;
  /** Id of the transcription model. */
  transcriber: string;
  onClose: () => void;
}

/** Talks with the user about a chat, until it is closed. */
export function TalkDialog({ session, conversation, transcriber, onClose }: TalkProps): VNode {
  const text = messages.value.talk;
  const talk = useMemo(() => {
    const speaker = readySpeaker(session.shelf.all.value) ?? { model: '', voice: '' };
    return new Talk({ session, conversation, transcriber, speaker });
  }, []);
  useEffect(() => {
    void talk.start();
    return () => talk.end();
  }, []);
  const { turns } = session.conversations.find(conversation.id) ?? conversation;
  const question = turns.findLast(({ role }) => role === 'user');
  const running = session.answerer.running.value.get(conversation.id);
  const answer = running?.text.value ?? turns.findLast(({ role }) => role === 'assistant')?.text;
  return (
    <Dialog title={text.title} name="talk" onClose={onClose}>
      <p class="talk-state" role="status" data-state={talk.state.value}>
        {text.states[talk.state.value]}
      </p>
      <p class="note">{text.lead}</p>
      {question && (
        <p class="talk-question" dir="auto">
          {question.text}
        </p>
      )}
      {answer !== undefined && (
        <p class="talk-answer" dir="auto">
          {answer}
        </p>
      )}
      {talk.failure.value !== '' && (
        <p class="note" role="alert">
          {talk.failure}
        </p>
      )}
      <div class="button-row">
        <TextButton class="button primary" onClick={onClose}>
          {text.end}
        </TextButton>
      </div>
    </Dialog>
  );
}
