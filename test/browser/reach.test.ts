import { expect, openPage, test, TINY } from './support/fixtures.ts';
import { serveTestSite } from './support/site.ts';

/** A request that any of them may send, and what its answer must say. */
const HELLO = { model: TINY, messages: [{ role: 'user', content: 'Hello!' }], temperature: 0 };
const ANSWER = { choices: [{ message: { content: 'Hello! How can I help you?' } }] };

test('plain fetch is answered', async ({ ready }) => {
  const body = await ready.evaluate(async (request) => {
    const response = await fetch(`${window.v1.baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${window.v1.apiKey}` },
      body: JSON.stringify(request),
    });
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

test('what is not below the base URL goes to the server, untouched', async ({ ready, site }) => {
  const before = site.requests.length;
  const statuses = await ready.evaluate(async () => {
    const paths = ['v10/models', 'api/v1/models', 'v1x', 'worker.js'];
    const responses = await Promise.all(paths.map((path) => fetch(path)));
    return responses.map((response) => response.status);
  });
  expect(statuses).toEqual([404, 404, 404, 200]);
  expect(site.requests.slice(before).sort()).toEqual(
    ['/api/v1/models', '/v10/models', '/v1x', '/worker.js'].sort(),
  );
});

test('nothing below the base URL ever goes to the server', async ({ ready, site }) => {
  const before = site.requests.length;
  const statuses = await ready.evaluate(async () => {
    const paths = ['v1/models', 'v1', 'v1/nonsense', 'v1/chat/completions?x=1'];
    const responses = await Promise.all(paths.map((path) => fetch(path)));
    return responses.map((response) => response.status);
  });
  expect(statuses).toEqual([401, 404, 404, 405]);
  expect(site.requests.slice(before)).toEqual([]);
});

test('a navigation to the API is refused: other sites can send one', async ({
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
  const page = await openPage(profile, site.url);
  const content = await page.evaluate(async (request) => {
    await window.begin();
    const response = await fetch(`${window.v1.baseURL}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${window.v1.apiKey}` },
      body: JSON.stringify(request),
    });
    return (await response.json()) as unknown;
  }, HELLO);
  await page.close();
  expect(content).toMatchObject(ANSWER);
  // The engine's script and the model's files were not asked for again.
  const asked = site.requests.slice(before);
  expect(asked).toContain('/page.js');
  expect(asked.filter((path) => /engine|packs/.test(path))).toEqual([]);
  expect(await ready.evaluate(() => window.v1.models.list())).not.toEqual([]);
});

test('the API works below any path', async ({ fresh }) => {
  const site = await serveTestSite('/some/repo/', ['tiny-chat']);
  try {
    const page = await openPage(fresh, site.url);
    const { baseURL } = await page.evaluate((model) => window.begin({ model }), TINY);
    expect(baseURL).toBe(`${site.url}v1`);
    const completion = await page.evaluate(
      (request) => window.client.chat.completions.create(request as never),
      HELLO,
    );
    expect(completion).toMatchObject(ANSWER);
  } finally {
    await site.close();
  }
});
