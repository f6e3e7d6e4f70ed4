import { afterEach, beforeEach, expect, vi } from 'vitest';

/**
 * Makes the tests of a file fail if a client uses the global `fetch`, for telemetry or to load a file. Clients with a
 * `fetch` of their own use that one.
 */
export function forbidNetwork(): void {
  const fetch = vi.fn<typeof globalThis.fetch>((input) => {
    const url = input instanceof Request ? input.url : String(input);
    return Promise.reject(new TypeError(`There is no network for ${url}`));
  });

  beforeEach(() => {
    fetch.mockClear();
    vi.stubGlobal('fetch', fetch);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    expect(fetch.mock.calls).toEqual([]);
  });
}
