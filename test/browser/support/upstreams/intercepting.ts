import type { Page } from 'playwright/test';
import type { StartOptions } from '../../../../src/index.ts';
import { openPage, test as base, TINY } from '../fixtures.ts';
import { withHold, type Hold } from '../hold.ts';
import { withNamedHosts, type NamedHosts } from '../browser/named-host.ts';
import { user } from '../prompts.ts';
import { EMBEDDER, serveTestSite, type TestSite } from '../site.ts';

export const OPENAI = 'https://api.openai.com/v1';
export const OPTIONS: StartOptions = {
  intercept: [OPENAI],
  model: TINY,
  modelMap: { 'text-embedding-3-small': EMBEDDER },
};

interface Fixtures {
  hosts: NamedHosts;
  ownSite: TestSite;
  /** Control of the site's engines. */
  ownHold: Hold;
  page: Page;
}

/** A site of its own, and a page of it in a browser that finds no real service. */
export const test = base.extend<Fixtures>({
  hosts: ({}, use) => withNamedHosts(['api.openai.com', 'api.openai.com.', 'llm.example'], use),
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat', 'tiny-embed'])));
  },
  ownHold: [({ ownSite }, use) => withHold(ownSite, use), { auto: true }],
  page: async ({ hosts, ownSite }, use) => {
    await use(await openPage(hosts.context, ownSite.url));
  },
});

/** Text of a streamed chat of the openai package, as a page uses it with the service itself. */
export function chat(page: Page, content = 'Hello!'): Promise<string> {
  return page.evaluate(async (message) => {
    const client = new window.OpenAI({
      apiKey: 'sk-proj-secret',
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
    });
    const stream = await client.chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [message],
      temperature: 0,
      stream: true,
    });
    const chunks = await Array.fromAsync(stream);
    return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  }, user(content));
}

interface Init {
  method?: string;
  body?: string;
  mode?: RequestMode;
  headers?: Record<string, string>;
}

/** Status of a request, or the error that fetch throws. */
export function statusOf(page: Page, address: string, init: Init = {}): Promise<number | string> {
  return page.evaluate(
    ([url, given]) =>
      fetch(url, given).then(
        async (response) => {
          // A service worker is not replaced while an answer is unread.
          await response.text();
          return response.status;
        },
        (error: Error) => error.message,
      ),
    [address, init] as const,
  );
}
