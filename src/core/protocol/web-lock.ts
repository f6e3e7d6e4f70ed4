/** How one end of a port learns that the other is gone: a MessagePort has no event for it. */
export interface Liveness {
  /** Shows to others that this realm lives. Resolves with a function that ends this. */
  hold: (name: string) => Promise<() => void>;
  /** Calls back once when the holder is gone. */
  watch: (name: string, onReleased: () => void) => void;
}

/** The browser releases a realm's Web Locks when the realm ends, however it ends. */
export const webLocks: Liveness = {
  hold: holdWebLock,
  watch(name, onReleased) {
    void navigator.locks.request(name, { mode: 'shared' }, onReleased).catch(() => undefined);
  },
};

/** Takes a Web Lock. Resolves with a function that releases it. */
export function holdWebLock(name: string): Promise<() => void> {
  const { promise, resolve, reject } = Promise.withResolvers<() => void>();
  navigator.locks
    .request(name, () => new Promise<void>((release) => resolve(release)))
    .catch(reject);
  return promise;
}

export async function isLockHeld(name: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some((lock) => lock.name === name);
}
