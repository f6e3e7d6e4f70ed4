import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Turn } from '../conversation/conversation.ts';

/** How often an answer is saved while it is written. */
const SAVE_EACH_MS = 1000;

interface Writing {
  /** Returns the answer's turn with the text that is there now. */
  soFar: () => Turn;
  /** Writes the answer until it ends. Returns its turn. */
  write: () => Promise<Turn>;
  save: (answer: Turn) => Promise<void>;
}

/**
 * Saves an answer each second while it is written, and then its end. A lock tells other tabs, and this one after a
 * reload, whether it is still being written: the browser releases the lock when the tab ends, however that happens.
 *
 * @param id - of the answer's turn
 */
export async function saveWhileWriting(id: string, { soFar, write, save }: Writing): Promise<void> {
  await navigator.locks.request(lockOf(id), async () => {
    let isLeaving = false;
    const written = new AbortController();
    addEventListener('beforeunload', () => (isLeaving = true), { signal: written.signal });
    const timer = setInterval(() => void save(soFar()), SAVE_EACH_MS);
    // Nothing may be saved over the end.
    const answer = await write().finally(() => clearInterval(timer));
    written.abort();
    // The browser ends the requests of a page before the page itself: the answer has not failed, it is interrupted.
    await save(isLeaving && answer.failure ? soFar() : answer);
  });
}

/**
 * Whether an answer was interrupted: the tab that wrote it ended before the answer did.
 *
 * @param answer - the answer's turn. If its text grows, a tab writes it again
 * @param isSaved - whether it was saved while it was written, and this tab does not write it
 * @param refresh - reads the conversation again, because the end may have come just before the lock was released
 */
export function useInterrupted(
  { id, text }: Turn,
  isSaved: boolean,
  refresh: () => Promise<void>,
): boolean {
  const isInterrupted = useSignal(false);
  useEffect(() => {
    isInterrupted.value = false;
    if (!isSaved) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const noticed = navigator.locks.request(lockOf(id), { mode: 'shared', signal }, async () => {
      await refresh();
      if (!signal.aborted) isInterrupted.value = true;
    });
    // The request is aborted when the answer is no longer shown, or has grown.
    noticed.catch(() => undefined);
    return () => leaving.abort();
  }, [id, text, isSaved]);
  return isSaved && isInterrupted.value;
}

function lockOf(id: string): string {
  return `slashv1-console-answer-${id}`;
}
