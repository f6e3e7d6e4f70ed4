import type { Frame, Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';

/** Code and message of the error that `start` throws in a page or frame; nothing if it succeeds. */
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
