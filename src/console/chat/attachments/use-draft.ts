import { useEffect, useMemo } from 'preact/hooks';
import type { Session } from '../../app/session.ts';
import { messages as texts } from '../../messages/messages.ts';
import {
  messagesOf,
  shownTurns,
  type Conversation,
  type Turn,
} from '../conversation/conversation.ts';
import { DraftSize, tooLong, type Size } from './draft-size.ts';
import type { Draft } from './draft.ts';

interface UsedDraft {
  draft: Draft;
  /** How much of the context it takes; null: unknown. */
  size: Size | null;
  /** Why it cannot be sent; empty: it can. */
  obstacle: string;
  /** What the user should know of it; empty: nothing. */
  hint: string;
}

/**
 * A conversation's next question, and its size for the model that will answer.
 *
 * @param item - of the conversation's address
 */
export function useDraft(
  { api, shelf, listed, drafts, library }: Session,
  conversation: Conversation,
  item: string,
): UsedDraft {
  const draft = drafts.of(item);
  const draftSize = useMemo(() => new DraftSize(api), [api]);
  const model = shelf.selected.value;
  const sees = listed.seeing.value.has(model);
  // An upstream would have to count them, but files do not leave the device before the user sends them.
  const context = listed.contextOf(model);
  const attachments = draft.attachments.value;
  const { last, settings } = conversation;
  useEffect(() => {
    const question: Turn = { id: '', parent: null, role: 'user', text: '', attachments };
    const turns = [...shownTurns(conversation), question];
    const messages = messagesOf(turns, settings, sees);
    void draftSize.count(attachments, { model, messages }, context);
  }, [attachments, model, context, sees, last, settings]);
  const size = draftSize.size.value;
  useEffect(() => {
    // The largest file first, because the others may then fit.
    const file = size && tooLong(size) ? largestOf(size) : undefined;
    if (file !== undefined) void draft.storeFile(file);
  }, [size]);
  const isSearched = attachments.some(({ kind }) => kind === 'stored');
  const isBlind = draft.hasImages.value && !sees;
  return {
    draft,
    size,
    obstacle: isBlind ? texts.value.attachments.blind : '',
    hint: isSearched && !library.hasEmbedder ? texts.value.attachments.byWords : '',
  };
}

/** Id of the attached file with the most tokens. */
function largestOf({ files }: Size): string | undefined {
  const [largest] = [...files].sort(([, one], [, other]) => other - one);
  return largest?.[0];
}
