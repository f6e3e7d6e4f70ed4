import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import type { StartOptions } from '../../src/index.ts';
import { begin, expect, openPage, reloadPage, test as base, TINY } from './support/fixtures.ts';
import { withNamedHosts, type NamedHosts } from './support/named-host.ts';
import { COUNT, COUNTED, GREETING, user } from './support/prompts.ts';
import { EMBEDDER, LIBRARY_FOLDER, serveTestSite, type TestSite } from './support/site.ts';
import { slowDown } from './support/slow-llama.ts';
import { startFailure } from './support/start-failure.ts';
import { startStream, untilEnded, untilLength } from './support/streamed.ts';
import { stopServiceWorkers } from './support/undebugged.ts';

const OPENAI = 'https://api.openai.com/v1';
const OTHER = 'https://llm.example/api/v1';

const OPTIONS: StartOptions = {
  intercept: [OPENAI],
  model: TINY,
  modelMap: { 'text-embedding-3-small': EMBEDDER },
};

const test = base.extend<{ hosts: NamedHosts; ownSite: TestSite; page: Page }>({
  hosts: ({}, use) => withNamedHosts(['api.openai.com', 'api.openai.com.', 'llm.example'], use),
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat', 'tiny-embed'])));
  },
  page: async ({ hosts, ownSite }, use) => {
    await use(await openPage(hosts.context, ownSite.url));
  },
});

/** Text of a streamed chat of the openai package, as a page uses it with the service itself. */
function chat(page: Page, content = 'Hello!'): Promise<string> {
  return page.evaluate(async (message) => {
    const client = new window.OpenAI({
      ...{ apiKey: 'sk-proj-secret', dangerouslyAllowBrowser: true, maxRetries: 0 },
    });
    const stream = await client.chat.completions.create({
      ...{ model: 'gpt-4o-mini', messages: [message], temperature: 0, stream: true },
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
function statusOf(page: Page, address: string, init: Init = {}): Promise<number | string> {
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

/** Returns when the URL of the service worker does not contain this. */
async function untilReplaced(page: Page, part: string): Promise<void> {
  await expect
    // Chromium may keep the one before until it has been idle for 30 seconds.
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL), {
      timeout: 90_000,
    })
    .not.toContain(part);
}

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
      ...{ apiKey: 'sk-proj-secret', dangerouslyAllowBrowser: true, maxRetries: 0 },
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
  expect(outcome.refusals).toEqual([404, expect.stringContaining('Invalid URL'), 404]);
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
}) => {
  await begin(page, OPTIONS);
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

test('a page that does not name the option keeps it; another list is added while the first page is open', async ({
  hosts,
  ownSite,
  page,
}) => {
  await begin(page, OPTIONS);
  const second = await openPage(hosts.context, ownSite.url);
  await begin(second);
  expect(await statusOf(second, `${OPENAI}/models`)).toBe(200);
  expect(await chat(page)).toBe(GREETING);
  await second.evaluate(() => window.v1.stop());
  await begin(second, { intercept: [OTHER] });
  for (const tab of [page, second]) {
    expect(await statusOf(tab, `${OPENAI}/models`)).toBe(200);
    expect(await statusOf(tab, `${OTHER}/models`)).toBe(200);
  }
  expect(hosts.connections()).toBe(0);
  await page.close();
  await expect
    .poll(() => second.evaluate(async () => JSON.stringify(await navigator.locks.query())))
    .not.toContain(OPENAI);
  await reloadPage(second);
  await begin(second, { intercept: [OTHER] });
  expect(await statusOf(second, `${OTHER}/models`)).toBe(200);
  await untilReplaced(second, 'api.openai.com');
  expect(await statusOf(second, `${OPENAI}/models`)).toBe('Failed to fetch');
  expect(hosts.connections()).toBeGreaterThan(0);
});

test('two tabs that start at once with different lists have both', async ({
  hosts,
  ownSite,
  page,
}) => {
  const second = await openPage(hosts.context, ownSite.url);
  await Promise.all([begin(page, OPTIONS), begin(second, { intercept: [OTHER] })]);
  for (const tab of [page, second]) {
    expect(await statusOf(tab, `${OPENAI}/models`)).toBe(200);
    expect(await statusOf(tab, `${OTHER}/models`)).toBe(200);
  }
  expect(hosts.connections()).toBe(0);
});

test('an empty list ends it', async ({ hosts, page }) => {
  await begin(page, OPTIONS);
  await page.evaluate(() => window.v1.stop());
  await begin(page, { intercept: [] });
  await untilReplaced(page, 'intercept');
  expect(await statusOf(page, `${OPENAI}/models`)).toBe('Failed to fetch');
  expect(hosts.connections()).toBeGreaterThan(0);
});

test('start waits for the answers under way in other tabs, and then all tabs are covered', async ({
  hosts,
  ownSite,
  page,
}) => {
  slowDown(ownSite);
  await begin(page, { model: TINY });
  const second = await openPage(hosts.context, ownSite.url);
  await startStream(page, COUNT);
  await untilLength(page, 10);
  const begun = begin(second, OPTIONS).then(() => page.evaluate(() => window.streamed.ended));
  expect((await untilEnded(page)).text).toBe(COUNTED);
  expect(await begun).toBe(true);
  expect(await statusOf(page, `${OPENAI}/models`)).toBe(200);
  expect(hosts.connections()).toBe(0);
});

test('a new version of the service worker intercepts from its first request on', async ({
  hosts,
  ownSite,
  page,
}) => {
  await begin(page, OPTIONS);
  ownSite.builds['sw.js'] = '// another build';
  await page.evaluate(async () => {
    const taken = new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve),
    );
    await (await navigator.serviceWorker.ready).update();
    await taken;
  });
  expect(await chat(page)).toBe(GREETING);
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
    const [code, text] = await startFailure(page, options as unknown as StartOptions);
    expect([code, text]).toEqual(['invalid_option', expect.stringContaining(message)]);
  }
  const count = () => navigator.serviceWorker.getRegistrations().then(({ length }) => length);
  expect(await page.evaluate(count)).toBe(0);
});

test("a site's own service worker does it with intercept()", async ({ hosts, page }) => {
  await begin(page, { serviceWorker: 'intercepting-sw.js', model: TINY });
  expect(await chat(page)).toBe(GREETING);
  expect(await statusOf(page, `${OPENAI}/files`)).toBe(404);
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
