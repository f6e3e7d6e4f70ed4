import { vi } from 'vitest';

/** Puts a `localStorage` into the globals, until `vi.unstubAllGlobals`. Returns what it holds. */
export function stubStorage(held: Record<string, string> = {}): Map<string, string> {
  const stored = new Map(Object.entries(held));
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  };
  // `Object.keys` of a storage gives the keys of what it holds.
  const keys = {
    ownKeys: () => [...stored.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  };
  vi.stubGlobal('localStorage', new Proxy(storage, keys));
  return stored;
}
