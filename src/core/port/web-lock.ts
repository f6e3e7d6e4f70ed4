/** How one end of a port learns that the other is gone: a MessagePort has no event for it. */
export interface Liveness {
  /** Shows others that this realm lives. Resolves with a function that stops showing it. */
  hold: (name: string) => Promise<() => void>;
  /** Calls back once when the holder is gone, unless the signal aborts first. */
  watch: (name: string, onReleased: () => void, signal?: AbortSignal) => void;
}

/** The browser releases a realm's Web Locks when the realm ends, however it ends. */
export const webLocks: Liveness = {
  hold: holdWebLock,
  watch(name, onReleased, signal) {
    const options: LockOptions = { mode: 'shared', ...(signal && { signal }) };
    void navigator.locks.request(name, options, onReleased).catch(() => undefined);
  },
};

/** Takes a Web Lock; resolves with the function that releases it, which resolves once it is free. */
export function holdWebLock(
  name: string,
  mode: LockMode = 'exclusive',
): Promise<() => Promise<void>> {
  const { promise, resolve, reject } = Promise.withResolvers<() => Promise<void>>();
  const end = Promise.withResolvers<void>();
  const released = navigator.locks.request(name, { mode }, () => {
    resolve(() => {
      end.resolve();
      return released;
    });
    return end.promise;
  });
  released.catch(reject);
  return promise;
}

/** Does the work if nobody holds the lock, and lets nobody take it meanwhile. */
export async function whileFree(name: string, work: () => Promise<void>): Promise<void> {
  await navigator.locks.request(name, { ifAvailable: true }, (lock) => lock && work());
}

/** Frees a lock whose holder hangs, and cannot be ended from here: whoever watches it takes the holder for gone. */
export async function freeWebLock(name: string): Promise<void> {
  await navigator.locks.request(name, { steal: true }, () => undefined);
}

export async function isLockHeld(name: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some((lock) => lock.name === name);
}
