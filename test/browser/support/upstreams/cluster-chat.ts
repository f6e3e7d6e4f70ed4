import type { Page } from 'playwright/test';
import type { UpstreamServer } from '../../../support/servers/upstream-server.ts';
import { BIG } from './forwarding.ts';

/** How the tokens of the cluster begin. */
export const TOKEN = 'Bearer cluster-token-';
export const PROMPT = 'purple garden window';

interface Options {
  serviceWorker?: boolean;
  deviceOnly?: boolean;
}

/** Starts a page whose token is another one for each request. */
export async function beginWith(
  page: Page,
  { baseURL }: UpstreamServer,
  options: Options = {},
): Promise<void> {
  await page.evaluate(
    async ([url, token, given]) => {
      let count = 0;
      const headers = () => Promise.resolve({ authorization: `${token}${++count}` });
      const upstreams = [{ name: 'cluster', baseURL: url, models: ['meta-llama/*'], headers }];
      await window.begin({ upstreams, ...given });
    },
    [baseURL, TOKEN, options] as const,
  );
}

/** What a chat says and where it was made, or the error's status and code. */
export function chat(page: Page, apiKey?: string): Promise<unknown[]> {
  return page.evaluate(
    async ([model, content, key]) => {
      const client = key === undefined ? window.client : window.client.withOptions({ apiKey: key });
      const messages = [{ role: 'user' as const, content }];
      const asked = client.chat.completions
        .create({ model, messages, stream: true })
        .withResponse();
      const refusal = await window.refusalOf(asked);
      if (refusal) return [refusal.status, refusal.code];
      const { data, response } = await asked;
      const chunks = await Array.fromAsync(data);
      const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      return [text, response.headers.get('x-slashv1-served-by')];
    },
    [BIG, PROMPT, apiKey] as const,
  );
}

/** What the cluster answers to a chat. */
export const FROM_AFAR = ['From afar.', 'upstream; name=cluster'];

/** The tokens of the requests that were forwarded. */
export function tokens({ requests }: UpstreamServer): (string | undefined)[] {
  return requests
    .filter(({ path }) => path !== '/v1/models')
    .map(({ headers }) => headers.authorization);
}

/** A key that other pages of the site may use. */
export function sharedKey(page: Page): Promise<string> {
  return page.evaluate(() => window.v1.keys.create({ label: 'shared' }));
}
