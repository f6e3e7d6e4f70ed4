/**
 * Records which engine workers this site's pages have ended themselves: a load that was under way then has not crashed.
 * The record is in `localStorage`, because a page that is being closed can write nothing else in time.
 */
const KEY = 'slashv1:ended';
/** How many are recorded. Only workers that ended since an engine last looked are needed. */
const MOST = 8;

/** Web Locks of the recorded workers; undefined: this page cannot use `localStorage`. */
export function endedEngines(): string[] | undefined {
  try {
    return (localStorage.getItem(KEY) ?? '').split(' ').filter(Boolean);
  } catch {
    return undefined;
  }
}

/** @param isEnded - false removes the record */
export function noteEngine(lock: string, isEnded: boolean): void {
  const others = endedEngines()?.filter((each) => each !== lock);
  if (!others) return;
  try {
    localStorage.setItem(KEY, [...others, ...(isEnded ? [lock] : [])].slice(-MOST).join(' '));
  } catch {
    // The storage is full: this end counts as a crash if a load was under way.
  }
}

/** Calls the listener when another page changes the record. */
export function onEngineNoted(listener: () => void, signal: AbortSignal): void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === KEY) listener();
  };
  addEventListener('storage', onStorage, { signal });
}

/**
 * Notes the engine as ended when the page is closed, and while it is hidden: phones end hidden pages
 * without an event when they need memory.
 */
export function noteWhileAway(lock: string, signal: AbortSignal): void {
  const note = () => noteEngine(lock, document.visibilityState === 'hidden');
  document.addEventListener('visibilitychange', note, { signal });
  addEventListener('pagehide', () => noteEngine(lock, true), { signal });
  addEventListener('pageshow', note, { signal });
  note();
}
