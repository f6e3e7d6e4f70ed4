import type { ConsoleMessage } from 'playwright/test';
import { sendJson } from '../../support/servers/upstream-server.ts';
import { begin, expect, openPage, TINY } from '../support/fixtures.ts';
import {
  beginWith,
  chat,
  FROM_AFAR,
  PROMPT,
  sharedKey,
  TOKEN,
  tokens,
} from '../support/upstreams/cluster-chat.ts';
import { BIG, test } from '../support/upstreams/forwarding.ts';
import { startFailure } from '../support/browser/start-failure.ts';
import { placesWithText } from '../support/storage/stored-text.ts';
import { stopServiceWorkers } from '../support/browser/undebugged.ts';

test('a model of the cluster answers, with new headers for each request, also after a stop of the service worker', async ({
  cluster,
  page,
}) => {
  await beginWith(page, cluster);
  const ids = () =>
    page.evaluate(async () => (await window.client.models.list()).data.map(({ id }) => id));
  expect(await ids()).toContain(BIG);
  expect(await chat(page)).toEqual(FROM_AFAR);
  await stopServiceWorkers(page);
  expect(await chat(page)).toEqual(FROM_AFAR);
  const [first, second, ...others] = tokens(cluster);
  expect(others).toEqual([]);
  expect(first).toContain(TOKEN);
  expect(second).toContain(TOKEN);
  expect(first).not.toBe(second);
  expect(await placesWithText(page, TOKEN)).toEqual([]);
  expect(await placesWithText(page, PROMPT)).toEqual([]);
});

test('a page without a service worker reaches it with v1.fetch', async ({ cluster, page }) => {
  await beginWith(page, cluster, { serviceWorker: false });
  expect(await chat(page)).toEqual(FROM_AFAR);
  expect(tokens(cluster)).toHaveLength(1);
});

test('keys of other tabs and keys for this device only do not reach it', async ({
  cluster,
  ownSite,
  page,
  undebugged,
}) => {
  await beginWith(page, cluster);
  const other = await openPage(undebugged, ownSite.url);
  await begin(other, { model: TINY });
  expect(await chat(other)).toEqual([404, 'model_not_found']);
  const listed = () =>
    other.evaluate(async () => (await window.client.models.list()).data.map(({ id }) => id));
  expect(await listed()).toEqual([TINY]);
  const keys = await page.evaluate(async () => {
    const { create, list } = window.v1.keys;
    const open = await create({ label: 'open' });
    const closed = await create({ label: 'closed', deviceOnly: true });
    const all = (await list()).map(({ label, upstreams }) => ({ label, upstreams }));
    return { open, closed, all };
  });
  const { open, closed, all } = keys;
  expect(all).toContainEqual({ label: 'open', upstreams: ['cluster'] });
  expect(all).toContainEqual({ label: 'closed', upstreams: undefined });
  expect(await chat(other, open)).toEqual(FROM_AFAR);
  expect(await chat(other, closed)).toEqual([404, 'model_not_found']);
  await page.close();
  await expect.poll(() => chat(other, open)).toEqual([503, 'upstream_unavailable']);
  expect(tokens(cluster)).toHaveLength(1);
});

test('a key that one tab revokes sends nothing more from another', async ({
  cluster,
  ownSite,
  page,
  undebugged,
}) => {
  await beginWith(page, cluster);
  const key = await sharedKey(page);
  const other = await openPage(undebugged, ownSite.url);
  await begin(other, { model: TINY });
  for (let count = 0; count < 3; count++) expect(await chat(other, key)).toEqual(FROM_AFAR);
  await page.evaluate((shared) => window.v1.keys.revoke(shared), key);
  expect(await chat(other, key)).toEqual([401, 'invalid_api_key']);
  expect(tokens(cluster)).toHaveLength(3);
});

test('the browser asks once whether the site may send requests, not before each', async ({
  cluster,
  page,
}) => {
  let questions = 0;
  cluster.server.on('request', ({ method, url }) => {
    if (method === 'OPTIONS' && url === '/v1/chat/completions') questions++;
  });
  await beginWith(page, cluster);
  for (let count = 0; count < 3; count++) expect(await chat(page)).toEqual(FROM_AFAR);
  expect(questions).toBe(1);
});

test('if the page cannot give the headers, or the cluster forbids the origin, the error says so', async ({
  cluster,
  page,
}) => {
  await page.evaluate(
    async ([baseURL, id]) => {
      const headers = () => Promise.reject(new Error('The token has expired: abc'));
      const open = { baseURL, headers: () => ({ 'x-not-allowed': '1' }) };
      await window.begin({
        upstreams: [
          { name: 'expired', baseURL: `${baseURL}/`, models: [id], headers },
          { name: 'forbidden', ...open, models: ['other'] },
        ],
      });
    },
    [cluster.baseURL, BIG] as const,
  );
  const failure = (model: string) =>
    page.evaluate((name) => {
      const messages = [{ role: 'user' as const, content: 'Hi' }];
      return window.refusalOf(window.client.chat.completions.create({ model: name, messages }));
    }, model);
  expect(await failure(BIG)).toMatchObject({
    status: 503,
    code: 'upstream_headers_failed',
    message: expect.stringContaining("'expired'"),
  });
  expect(await failure('other')).toMatchObject({
    status: 502,
    code: 'upstream_unreachable',
    message: expect.stringMatching(/'forbidden'.*CORS.*connect-src/),
  });
  expect(tokens(cluster)).toEqual([]);
});

test('a redirect is refused, and nothing follows it', async ({ cluster, page }) => {
  await beginWith(page, cluster);
  cluster.answer = (response, { path }) => {
    if (path.endsWith('/elsewhere')) return sendJson(response, {});
    response.writeHead(307, { location: '/v1/elsewhere' }).end();
  };
  expect(await chat(page)).toEqual([502, 'upstream_redirected']);
  expect(cluster.requests.map(({ path }) => path)).not.toContain('/v1/elsewhere');
});

test('invalid values are refused before anything begins', async ({ ownSite, page }) => {
  const cluster = { name: 'cluster', baseURL: 'https://llm.example/v1', models: '*' as const };
  for (const [upstreams, message] of [
    [[{ ...cluster, name: 'a b' }], 'names of letters'],
    [[{ ...cluster, baseURL: 'ftp://llm.example/' }], 'http or https baseURL'],
    [[{ ...cluster, baseURL: 'https://user:x@llm.example/' }], 'without a user'],
    [[{ ...cluster, baseURL: `${ownSite.url}v1` }], 'slashv1 itself'],
    [[{ ...cluster, models: [] }], 'list of ids'],
    [[cluster, cluster], 'different names'],
    [[{ ...cluster, headers: { 'no header': 'x' } }], "'Headers'"],
  ] as const) {
    const failure = await startFailure(page, { upstreams });
    expect(failure).toEqual(['invalid_option', expect.stringContaining(message)]);
  }
});

test('no log has the prompt, the token or the key, whatever goes wrong', async ({
  cluster,
  fresh,
  ownSite,
}) => {
  const logs: string[] = [];
  const note = (message: ConsoleMessage) => void logs.push(message.text());
  fresh.on('serviceworker', (worker) => worker.on('console', note));
  fresh.on('console', note);
  const page = await openPage(fresh, ownSite.url);
  page.on('pageerror', ({ message }) => void logs.push(message));
  await beginWith(page, cluster);
  const [worker] = fresh.serviceWorkers();
  await worker?.evaluate(() => console.log('The worker is heard.'));
  expect(await chat(page)).toEqual(FROM_AFAR);
  cluster.answer = (response) => void response.socket?.end('garbage');
  expect(await chat(page)).toEqual([502, 'upstream_unreachable']);
  cluster.answer = (response) => sendJson(response, { error: { message: 'Expired' } }, 401);
  expect(await chat(page)).toEqual([401, undefined]);
  cluster.answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end('data: {"choices":[]}\n\n');
  };
  await expect(chat(page)).rejects.toThrow();
  expect(logs).toContain('The worker is heard.');
  const key = await page.evaluate(() => window.v1.apiKey);
  for (const secret of [PROMPT, TOKEN, key]) {
    expect(logs.filter((text) => text.includes(secret))).toEqual([]);
  }
});
