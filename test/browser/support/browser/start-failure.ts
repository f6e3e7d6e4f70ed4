import type { Frame, Page } from 'playwright/test';
import type { StartOptions } from '../../../../src/index.ts';

declare global {
  interface Window {
    /** Milliseconds. */
    longestWait: number;
  }
}

/** Makes a page or frame note the delay of the longest timer that fires from now on. */
export function noteWaits(page: Page | Frame): Promise<void> {
  return page.evaluate(() => {
    const { setTimeout: later } = window;
    window.longestWait = 0;
    window.setTimeout = ((run: () => void, ms = 0) =>
      later(() => {
        window.longestWait = Math.max(window.longestWait, ms);
        run();
      }, ms)) as typeof setTimeout;
  });
}

/** Code and message of the error that `start` throws in a page or frame; empty if it succeeds. */
export function startFailure(
  page: Page | Frame,
  options: StartOptions = {},
): Promise<(string | undefined)[]> {
  return page.evaluate(async (given) => {
    try {
      await window.slashv1.start(given);
    } catch (error) {
      if (error instanceof window.slashv1.StartError) return [error.code, error.message];
      return [String(error)];
    }
    return [];
  }, options);
}
