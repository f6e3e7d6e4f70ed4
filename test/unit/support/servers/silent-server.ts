import { vi } from 'vitest';

/** Lets `fetch` wait for ever, as for a server that says nothing. @returns the addresses that were asked for */
export function serveNothing(): { requests: string[] } {
  const requests: string[] = [];
  vi.stubGlobal('fetch', (url: URL, { signal }: { signal: AbortSignal }) => {
    requests.push(url.href);
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error)),
    );
  });
  return { requests };
}
