import type { Page } from 'playwright/test';
import { complete } from '../support/chat.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { GREETING, user } from '../support/prompts.ts';
import { serveTestSite, type TestSite } from '../support/site.ts';

/** A request that every kind of client sends here, and its answer. */
const HELLO = { model: TINY, messages: [user('Hello!')], temperature: 0 };
const ANSWER = { choices: [{ message: { content: GREETING } }] };

test('plain fetch is answered', async ({ ready }) => {
  const body = await ready.evaluate(async (request) => {
    const response = await window.post('chat/completions', request);
    return (await response.json()) as unknown;
  }, HELLO);
  expect(body).toMatchObject(ANSWER);
});

test('XMLHttpRequest is answered', async ({ ready }) => {
  const text = await ready.evaluate(
    (request) =>
      new Promise<string>((resolve) => {
        const xhr = new XMLHttpRequest();
        xhr.open('POST', `${window.v1.baseURL}/chat/completions`);
        xhr.setRequestHeader('authorization', `Bearer ${window.v1.apiKey}`);
        xhr.onload = () => resolve(xhr.responseText);
        xhr.send(JSON.stringify(request));
      }),
    HELLO,
  );
  expect(JSON.parse(text)).toMatchObject(ANSWER);
});

test('a dedicated worker of the page is answered', async ({ ready }) => {
  const result = await ready.evaluate((request) => {
    const worker = new Worker('worker.js');
    worker.postMessage({
      url: `${window.v1.baseURL}/chat/completions`,
      init: {
        method: 'POST',
        headers: { authorization: `Bearer ${window.v1.apiKey}` },
        body: JSON.stringify(request),
      },
    });
    return new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
  }, HELLO);
  expect(result).toMatchObject({ status: 200, body: ANSWER });
});

test('an iframe below the scope is answered', async ({ ready, site }) => {
  const { baseURL, apiKey } = await ready.evaluate(() => ({
    baseURL: window.v1.baseURL,
    apiKey: window.v1.apiKey,
  }));
  await ready.evaluate(async () => {
    const frame = document.createElement('iframe');
    frame.src = 'frame.html';
    const loaded = new Promise((resolve) => (frame.onload = resolve));
    document.body.append(frame);
    await loaded;
  });
  const frame = ready.frame({ url: `${site.url}frame.html` });
  const body = await frame?.evaluate(
    async ([base, key, request]) => {
      const response = await fetch(`${base}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(request),
      });
      return (await response.json()) as unknown;
    },
    [baseURL, apiKey, HELLO] as const,
  );
  expect(body).toMatchObject(ANSWER);
});

/** Statuses of GET requests for these paths, and the paths that the site's server was asked for. */
async function get(page: Page, site: TestSite, paths: string[]) {
  const before = site.requests.length;
  const statuses = await page.evaluate(async (all) => {
    const responses = await Promise.all(all.map((path) => fetch(path)));
    return responses.map((response) => response.status);
  }, paths);
  return { statuses, asked: site.requests.slice(before).sort() };
}

test('requests outside the base URL go to the server', async ({ ready, site }) => {
  const paths = ['api/v1/models', 'v10/models', 'v1x', 'worker.js'];
  const { statuses, asked } = await get(ready, site, paths);
  expect(statuses).toEqual([404, 404, 404, 200]);
  expect(asked).toEqual(paths.map((path) => `/${path}`));
});

test('requests below the base URL never go to the server', async ({ ready, site }) => {
  const paths = ['v1/models', 'v1', 'v1/nonsense', 'v1/chat/completions?x=1'];
  const { statuses, asked } = await get(ready, site, paths);
  expect(statuses).toEqual([401, 404, 404, 405]);
  expect(asked).toEqual([]);
});

test('a navigation to the API is refused, since another site can cause one', async ({
  profile,
  ready,
  site,
}) => {
  expect(await ready.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const page = await profile.newPage();
  const response = await page.goto(`${site.url}v1/models`);
  expect(response?.status()).toBe(403);
  await page.close();
});

test('a second tab shares the engine of the first', async ({ profile, ready, site }) => {
  const before = site.requests.length;
  const page = await openStarted(profile, site.url);
  expect(await complete(page, HELLO)).toMatchObject(ANSWER);
  await page.close();
  const asked = site.requests.slice(before);
  expect(asked).toContain('/page.js');
  // Neither the engine's script nor the model's files were requested again.
  expect(asked.filter((path) => /engine|packs/.test(path))).toEqual([]);
  expect(await ready.evaluate(() => window.v1.models.list())).not.toEqual([]);
});

test('the API works below any path', async ({ fresh, closing }) => {
  const site = closing(await serveTestSite('/some/repo/', ['tiny-chat']));
  const page = await openStarted(fresh, site.url, { model: TINY });
  expect(await page.evaluate(() => window.v1.baseURL)).toBe(`${site.url}v1`);
  expect(await complete(page, HELLO)).toMatchObject(ANSWER);
});
