import type { BrowserContext, Page } from 'playwright/test';
import type * as promptApi from '../../../../src/prompt-api/index.ts';
import { openPage, test as base, TINY } from '../fixtures.ts';

export { expect } from '../fixtures.ts';

declare global {
  interface Window {
    /** The module `slashv1/prompt-api`, as it is built. */
    promptApi: typeof promptApi;
    /** The global that the module gives to the page. */
    LanguageModel: typeof promptApi.LanguageModel;
    /** What a promise rejects with. */
    rejection(promise: Promise<unknown>): Promise<Rejection>;
  }
  const LanguageModel: typeof promptApi.LanguageModel;
}

export interface Rejection {
  /** `none`: the promise was fulfilled. */
  name: string;
  message: string;
  isDom: boolean;
  requested?: number;
  quota?: number;
}

/** Opens a page and imports the Prompt API, with tiny-chat unless other options are given. */
export async function openWithPromptApi(
  profile: BrowserContext,
  url: string,
  options: promptApi.PromptApiOptions = { model: TINY },
): Promise<Page> {
  const page = await openPage(profile, url);
  await page.evaluate(
    async ([script, given]) => {
      // The tests are about this implementation, even in a browser that has one of its own.
      Reflect.deleteProperty(window, 'LanguageModel');
      window.promptApi = (await import(script)) as typeof promptApi;
      window.promptApi.configure({ engines: ['llamacpp'], ...given });
      window.rejection = async (promise) => {
        try {
          await promise;
        } catch (error) {
          const { name, message, requested, quota } = error as Error & Partial<Rejection>;
          const isDom = error instanceof DOMException;
          return { name, message, isDom, ...(requested && { requested }), ...(quota && { quota }) };
        }
        return { name: 'none', message: '', isDom: false };
      };
    },
    [`${url}prompt-api.js`, options] as const,
  );
  return page;
}

/** `prompting`: a page with the Prompt API, for all tests of a file. */
export const test = base.extend<object, { prompting: Page }>({
  prompting: [
    async ({ profile, site }, use) => {
      await use(await openWithPromptApi(profile, site.url));
    },
    { scope: 'worker' },
  ],
});
