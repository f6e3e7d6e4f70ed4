import type { BrowserContext, Page } from 'playwright/test';
import type { ApiRequest } from '../../../src/index.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { filesWithText } from '../support/storage/files-with-text.ts';
import { placesWithText } from '../support/storage/stored-text.ts';

/** A text whose words stand together nowhere else. */
const SECRET = 'violet walrus lantern';

declare global {
  interface Window {
    told: ApiRequest[];
    unwatch: () => void;
  }
}

async function watch(page: Page, contents: boolean): Promise<void> {
  await page.evaluate(async (wanted) => {
    window.told = [];
    window.unwatch = await window.v1.requests.watch((request) => window.told.push(request), {
      contents: wanted,
    });
  }, contents);
}

/** The requests that have ended, oldest first. */
const ended = (page: Page) =>
  page.evaluate(() => {
    const latest = new Map(window.told.map((request) => [request.id, request]));
    return [...latest.values()].filter(({ durationMs }) => durationMs !== undefined);
  });

/** Asks by the service worker, or with `v1.fetch`. */
function ask(page: Page, how: 'fetch' | 'v1.fetch', content: string, stream = true) {
  return page.evaluate(
    async ({ path, body }) => {
      const { v1 } = window;
      const send = path === 'fetch' ? fetch : v1.fetch;
      const response = await send(`${v1.baseURL}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${v1.apiKey}` },
        body: JSON.stringify(body),
      });
      return response.text();
    },
    {
      path: how,
      body: {
        model: TINY,
        temperature: 0,
        max_tokens: 8,
        stream,
        messages: [{ role: 'user', content }],
      },
    },
  );
}

const open = (context: BrowserContext, url: string) => openStarted(context, url, { model: TINY });

test('a tab watches the requests of another: by the service worker and by v1.fetch', async ({
  fresh,
  site,
}) => {
  const watcher = await open(fresh, site.url);
  const other = await open(fresh, site.url);
  await watch(watcher, false);
  await ask(other, 'fetch', SECRET);
  await ask(other, 'v1.fetch', SECRET, false);
  await expect.poll(async () => (await ended(watcher)).length).toBe(2);
  for (const request of await ended(watcher)) {
    expect(request).toMatchObject({
      endpoint: 'chat/completions',
      key: 'session',
      model: TINY,
      status: 200,
      parameters: { temperature: 0, max_tokens: 8 },
    });
    expect(request.promptTokens).toBeGreaterThan(0);
    expect(request.completionTokens).toBeGreaterThan(0);
    expect(request.finishReason).toMatch(/stop|length/);
    expect(request.durationMs).toBeGreaterThanOrEqual(request.firstTokenMs ?? Infinity);
  }
  expect(JSON.stringify(await watcher.evaluate(() => window.told))).not.toContain(SECRET);

  await watch(watcher, true);
  await ask(other, 'fetch', SECRET);
  await expect.poll(async () => JSON.stringify(await ended(watcher))).toContain(SECRET);

  // A tab that answers its own request closes. The request's body never ends.
  await other.evaluate(() => {
    const { v1 } = window;
    const body = { body: new ReadableStream(), duplex: 'half' };
    const headers = { authorization: `Bearer ${v1.apiKey}` };
    void v1.fetch(`${v1.baseURL}/embeddings`, { method: 'POST', headers, ...body });
  });
  await expect.poll(() => watcher.evaluate(() => window.told.at(-1)?.endpoint)).toBe('embeddings');
  await other.close();
  await expect
    .poll(() => watcher.evaluate(() => window.told.at(-1)?.error?.code))
    .toBe('worker_stopped');
});

test('contents that are watched are stored nowhere', async ({ kept, site }) => {
  const { context, folder } = kept;
  const page = await open(context, site.url);
  await watch(page, true);
  await ask(page, 'fetch', SECRET);
  await expect.poll(async () => JSON.stringify(await ended(page))).toContain(SECRET);
  expect(await placesWithText(page, SECRET)).toEqual([]);
  await context.close();
  expect(filesWithText(folder, SECRET)).toEqual([]);
});

test('two tabs spend the budget of one key, which a restarted tab still knows', async ({
  fresh,
  site,
}) => {
  const one = await open(fresh, site.url);
  const two = await open(fresh, site.url);
  const key = await one.evaluate(() => window.v1.keys.create({ label: 'app', tokensPerDay: 60 }));
  const status = (page: Page) =>
    page.evaluate(
      async ([apiKey, model]) => {
        const response = await fetch(`${window.v1.baseURL}/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${apiKey}` },
          body: JSON.stringify({
            model,
            max_tokens: 8,
            messages: [{ role: 'user', content: 'Hello!' }],
          }),
        });
        const body = await response.json();
        return (body.error?.code ?? response.status) as string | number;
      },
      [key, TINY] as const,
    );
  const codes = [];
  while (codes.at(-1) !== 'token_budget_exceeded' && codes.length < 20) {
    codes.push(await status(codes.length % 2 === 0 ? one : two));
  }
  expect(codes.slice(0, -1).every((code) => code === 200)).toBe(true);
  expect(codes.length).toBeGreaterThan(2);
  expect(codes.length).toBeLessThan(20);
  const used = await two.evaluate(async () =>
    (await window.v1.keys.list()).find(({ label }) => label === 'app'),
  );
  expect(used?.tokensToday).toBeGreaterThanOrEqual(60);
  expect(used?.lastUsedAt).toBeGreaterThan(0);
  await Promise.all([one.close(), two.close()]);
  const later = await open(fresh, site.url);
  expect(await status(later)).toBe('token_budget_exceeded');
});
