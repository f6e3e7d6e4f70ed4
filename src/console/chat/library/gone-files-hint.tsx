import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Session } from '../../app/session.ts';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import { storedOf, type StoredAttachment } from '../attachments/attachment.ts';
import { shownTurns, type Conversation } from '../conversation/conversation.ts';
import { withFilesInstead } from './gone-files.ts';
import { GoneFilesCard } from './gone-files-card.tsx';

interface HintProps {
  session: Session;
  conversation: Conversation;
}

/** Says that files of a chat are no longer stored, before a question is asked that would search them. */
export function GoneFilesHint({ session, conversation }: HintProps): VNode | null {
  const { library, conversations } = session;
  const gone = useSignal<StoredAttachment | undefined>(undefined);
  const stored = storedOf(shownTurns(conversation));
  useEffect(() => {
    const leaving = new AbortController();
    gone.value = undefined;
    const { signal } = leaving;
    const find = async () => {
      const found = await library.firstGone(stored, signal);
      if (!signal.aborted) gone.value = found;
    };
    // If the API cannot be asked now, the next question says what is gone.
    find().catch(() => undefined);
    return () => leaving.abort();
  }, [stored.map(({ store }) => store).join(' ')]);
  const found = gone.value;
  if (!found) return null;
  const replace = (instead: StoredAttachment | undefined) => {
    const now = conversations.find(conversation.id);
    if (now) void conversations.save(withFilesInstead(now, found, instead));
  };
  return (
    <GoneFilesCard
      gone={found}
      library={library}
      without={fill(messages.value.attachments.remove, { name: found.name })}
      onInstead={replace}
    />
  );
}
