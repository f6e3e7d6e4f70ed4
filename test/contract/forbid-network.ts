import { afterEach, beforeEach, expect, vi } from 'vitest';

/**
 * For a file's tests: nothing may leave the machine, be it telemetry or a file that a client would
 * load. What is given a `fetch` of its own uses that one.
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
