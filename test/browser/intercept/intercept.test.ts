import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { begin, expect, reloadPage, TINY } from '../support/fixtures.ts';
import { chat, OPENAI, OPTIONS, statusOf, test } from '../support/upstreams/intercepting.ts';
import { COUNT, GREETING, user } from '../support/prompts.ts';
import { LIBRARY_FOLDER } from '../support/site.ts';
import { startFailure } from '../support/browser/start-failure.ts';
import { stopServiceWorkers } from '../support/browser/undebugged.ts';

test('the openai package with its own base URL is answered on the device', async ({
  hosts,
  page,
}) => {
  expect(await statusOf(page, `${OPENAI}/models`)).toBe('Failed to fetch');
  const before = hosts.connections();
  expect(before).toBeGreaterThan(0);
  await begin(page, OPTIONS);
  expect(await chat(page)).toBe(GREETING);
  const outcome = await page.evaluate(async () => {
    const client = new window.OpenAI({
      apiKey: 'sk-proj-secret',
      dangerouslyAllowBrowser: true,
      maxRetries: 0,
    });
    const input = { model: 'text-embedding-3-small', input: 'Hello!' };
    const { data } = await client.embeddings.create(input);
    const images = await window.refusalOf(client.images.generate({ prompt: 'a cat' }));
    const file = new File(['abc'], 'a.wav');
    const request = { file, model: 'whisper-1' };
    const audio = await window.refusalOf(client.audio.transcriptions.create(request));
    const keys = await window.v1.keys.list();
    return {
      vector: data[0]?.embedding.length ?? 0,
      refusals: [images?.status, images?.message, audio?.status],
      keys: keys.map(({ label }) => label),
    };
  });
  expect(outcome.vector).toBeGreaterThan(10);
  expect(outcome.refusals).toEqual([404, expect.stringContaining('Invalid URL'), 400]);
  expect(outcome.keys).toEqual(['session']);
  expect(hosts.connections()).toBe(before);
});

test('nothing reaches the host: odd addresses, other kinds of requests, workers, a stopped service worker', async ({
  hosts,
  page,
}) => {
  await begin(page, OPTIONS);
  const headers = { 'x-stainless-lang': 'js', authorization: 'Bearer x' };
  expect(await statusOf(page, `${OPENAI}/models`, { mode: 'cors', headers })).toBe(200);
  for (const address of [
    ...[`${OPENAI}/../x`, 'https://API.OPENAI.COM:443/v2', 'https://api.openai.com:8443/v1/models'],
    ...['http://api.openai.com/v1/models', 'https://api.openai.com./v1', `${OPENAI}/x`],
  ]) {
    expect([address, await statusOf(page, address)]).toEqual([address, 404]);
  }
  const others = await page.evaluate(async (url) => {
    const image = new Image();
    const failed = new Promise((resolve) => (image.onerror = () => resolve('image failed')));
    image.src = `${url}/image.png`;
    const xhr = new XMLHttpRequest();
    xhr.open('POST', `${url}/nowhere`, true, 'user', 'password');
    const answered = new Promise((resolve) => (xhr.onloadend = () => resolve(xhr.status)));
    xhr.send('{}');
    const worker = new Worker('worker.js');
    const inWorker = new Promise<{ status: number }>(
      (resolve) => (worker.onmessage = ({ data }) => resolve(data)),
    );
    worker.postMessage({ url: `${url}/models`, init: {} });
    const { type } = await fetch(`${url}/models`, { mode: 'no-cors' });
    navigator.sendBeacon(`${url}/chat/completions`, '{"model":"gpt-4o"}');
    const events = new EventSource(`${url}/models`);
    const closed = new Promise((resolve) => {
      events.onerror = () => resolve(events.readyState === EventSource.CLOSED);
    });
    return [await failed, await answered, (await inWorker).status, type, await closed];
  }, OPENAI);
  expect(others).toEqual(['image failed', 404, 200, 'basic', true]);

  await stopServiceWorkers(page);
  expect(await statusOf(page, `${OPENAI}/models`)).toBe(200);
  expect(await chat(page)).toBe(GREETING);

  await page.evaluate(() => window.v1.stop());
  await stopServiceWorkers(page);
  // The reloaded page has not called start() yet, so no page hosts the engine.
  await reloadPage(page);
  const body = JSON.stringify({ model: 'gpt-4o', messages: [user('Hi')] });
  const init = { method: 'POST', body };
  expect(await statusOf(page, `${OPENAI}/chat/completions`, init)).toBe(500);
  expect(hosts.connections()).toBe(0);
});

test('an abort in mid-stream fails the reader, and v1.fetch is answered as well', async ({
  hosts,
  page,
  ownHold,
}) => {
  await begin(page, OPTIONS);
  await ownHold.at({ tokens: 10 });
  const outcome = await page.evaluate(
    async ([url, body]) => {
      const aborting = new AbortController();
      const request = { method: 'POST', body, signal: aborting.signal };
      const read = async (ask: typeof fetch) => {
        const reader = (await ask(`${url}/chat/completions`, request)).body?.getReader();
        await reader?.read();
        aborting.abort();
        try {
          for (;;) if ((await reader?.read())?.done) return 'complete';
        } catch (error) {
          return (error as Error).name;
        }
      };
      const ask = window.v1.fetch;
      const statuses = [await ask(`${url}/models`), await ask(new Request(`${url}/../x`))];
      return [await read(fetch), ...statuses.map(({ status }) => status)];
    },
    [OPENAI, JSON.stringify({ ...COUNT, model: 'gpt-4o', stream: true })] as const,
  );
  expect(outcome).toEqual(['AbortError', 200, 404]);
  expect(hosts.connections()).toBe(0);
});

test('start fails if the served sw.js knows nothing of it', async ({ ownSite, page }) => {
  const script = readFileSync(join(LIBRARY_FOLDER, 'sw.js'), 'utf8');
  const older = script.replaceAll('intercept', 'isolated');
  ownSite.intercept = ({ url }, response) => {
    const isScript = url?.startsWith('/sw.js') ?? false;
    if (isScript) response.writeHead(200, { 'content-type': 'text/javascript' }).end(older);
    return isScript;
  };
  expect(await startFailure(page, { intercept: [OPENAI] })).toEqual([
    'service_worker_failed',
    expect.stringContaining('intercepts nothing'),
  ]);
});

test('invalid values are refused before anything begins', async ({ page, ownSite }) => {
  for (const [options, message] of [
    [{ intercept: ['api.openai.com'] }, 'http or https'],
    [{ intercept: [`${ownSite.url}v1`] }, 'slashv1 is there itself'],
    [{ intercept: [OPENAI], serviceWorker: false }, 'intercept'],
    [{ intercept: [OPENAI], serviceWorker: 'classic-sw.js' }, 'intercept'],
  ] as const) {
    const [code, text] = await startFailure(page, options);
    expect([code, text]).toEqual(['invalid_option', expect.stringContaining(message)]);
  }
  const count = () => navigator.serviceWorker.getRegistrations().then(({ length }) => length);
  expect(await page.evaluate(count)).toBe(0);
});

test("a site's own service worker does it with intercept()", async ({ hosts, page }) => {
  await begin(page, { serviceWorker: 'intercepting-sw.js', model: TINY });
  expect(await chat(page)).toBe(GREETING);
  expect(await statusOf(page, `${OPENAI}/batches`)).toBe(404);
  await stopServiceWorkers(page);
  expect(await statusOf(page, `${OPENAI}/../x`)).toBe(404);
  expect(hosts.connections()).toBe(0);
});

test('it works together with isolate', async ({ hosts, page }) => {
  const reloaded = page.waitForEvent('domcontentloaded');
  const options = { ...OPTIONS, isolate: true, threads: 2 };
  await page.evaluate((given) => void window.begin(given), options);
  await reloaded;
  await page.waitForFunction(() => 'begin' in window);
  await begin(page, options);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  expect(await chat(page)).toBe(GREETING);
  expect(hosts.connections()).toBe(0);
});
