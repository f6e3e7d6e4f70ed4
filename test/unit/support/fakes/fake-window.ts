import { vi } from 'vitest';

/** A test's access to the window. */
export interface FakeWindow {
  /** The window's `localStorage`, which a test may have filled. */
  stored: Map<string, string>;
  /** Sends an event to the window. */
  send(type: string, facts?: object): void;
  /** Shows or hides the page. */
  show(visibilityState: DocumentVisibilityState): void;
}

/** Puts a window into the globals, until `vi.unstubAllGlobals`. */
export function stubWindow(baseURI: string): FakeWindow {
  const stored = new Map<string, string>();
  const view = new EventTarget();
  const page = Object.assign(new EventTarget(), {
    baseURI,
    URL: baseURI,
    visibilityState: 'visible',
    createElement: () => ({}),
  });
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { href: baseURI });
  vi.stubGlobal('origin', new URL(baseURI).origin);
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
  return {
    stored,
    send: (type, facts = {}) => view.dispatchEvent(Object.assign(new Event(type), facts)),
    show(visibilityState) {
      page.visibilityState = visibilityState;
      page.dispatchEvent(new Event('visibilitychange'));
    },
  };
}
