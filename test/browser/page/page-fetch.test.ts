import type { Page } from 'playwright/test';
import { complete, say } from '../support/chat.ts';
import { expect, openPage, openStarted, reloadPage, test, TINY } from '../support/fixtures.ts';
import { COUNT, COUNTED, GREETING, user } from '../support/prompts.ts';
import { replaceFile } from '../support/site.ts';
import { startFailure } from '../support/browser/start-failure.ts';
import { answerTo, startStream, untilEnded } from '../support/streamed.ts';

const WITHOUT = { serviceWorker: false, model: TINY };

const registrations = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);

test('a first visit without a service worker streams a chat', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  expect(await answerTo(page, COUNT)).toMatchObject({ status: 200, text: COUNTED, done: true });
  expect(await registrations(page)).toBe(0);
});

test('so does the built library in a page without a bundler', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  const text = await page.evaluate(
    async ([library, model, content]) => {
      const { start } = (await import(library)) as typeof window.slashv1;
      const v1 = await start({ serviceWorker: false, model, engines: ['llamacpp'] });
      const response = await v1.fetch('v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${v1.apiKey}` },
        body: JSON.stringify({ model, messages: [{ role: 'user', content }], temperature: 0 }),
      });
      const { choices } = await response.json();
      return choices[0].message.content as string;
    },
    [`${site.url}slashv1.js`, TINY, 'Hello!'] as const,
  );
  expect(text).toBe(GREETING);
});

test('so does a reload, which downloads no model', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  const before = site.requests.length;
  await reloadPage(page);
  await page.evaluate((options) => window.begin(options), WITHOUT);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  const packs = site.requests.slice(before).filter((path) => path.startsWith('/packs/'));
  expect(packs.filter((path) => !path.endsWith('.json'))).toEqual([]);
});

test('the clients of the AI SDK, LangChain and Anthropic take v1.fetch', async ({
  fresh,
  site,
}) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  await page.addScriptTag({ url: 'clients.js', type: 'module' });
  await page.waitForFunction(() => 'clients' in window);
  const texts = await page.evaluate(async (id) => {
    const { ai, aiModel, langchainModel, anthropic } = window.clients;
    const options = { model: aiModel(id), prompt: 'Hello!', temperature: 0, maxRetries: 0 };
    const pieces = await Array.fromAsync(ai.streamText(options).textStream);
    const chunks = await Array.fromAsync(await langchainModel(id).stream('Hello!'));
    const messages = [{ role: 'user' as const, content: 'Hello!' }];
    const request = { model: id, messages, temperature: 0, max_tokens: 60 };
    const message = await anthropic().messages.stream(request).finalText();
    return [pieces.join(''), chunks.map(({ text }) => text).join(''), message];
  }, TINY);
  expect(texts).toEqual([GREETING, GREETING, GREETING]);
  expect(await registrations(page)).toBe(0);
});

test('an abort in mid-stream fails the reader with its reason and ends the generation', async ({
  fresh,
  site,
  hold,
}) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  await hold.at({ tokens: 10 });
  const begun = await page.evaluateHandle(
    async (body) => {
      const aborting = new AbortController();
      const { signal } = aborting;
      const request = { ...body, stream: true };
      const response = await window.post('chat/completions', request, { signal });
      return { aborting, reader: response.body?.getReader() };
    },
    { ...COUNT, model: TINY },
  );
  await hold.untilHeld();
  const outcome = await begun.evaluate(async ({ aborting, reader }) => {
    await reader?.read();
    aborting.abort(new Error('enough'));
    try {
      for (;;) if ((await reader?.read())?.done) return 'complete';
    } catch (error) {
      return String(error);
    }
  });
  expect(outcome).toBe('Error: enough');
  await hold.untilStopped();
  await hold.release();
  expect(await say(page, 'Hello!')).toBe(GREETING);
});

test('an abort before the answer rejects at once', async ({ fresh, site, hold }) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  await hold.at({ batches: 0 });
  const names = await page.evaluate(
    async (body) => {
      const failure = (signal: AbortSignal) =>
        window.post('chat/completions', body, { signal }).then(
          () => 'answered',
          (error: Error) => error.name,
        );
      const aborting = new AbortController();
      const aborted = failure(aborting.signal);
      aborting.abort();
      return [await aborted, await failure(AbortSignal.timeout(100))];
    },
    { ...COUNT, model: TINY },
  );
  expect(names).toEqual(['AbortError', 'TimeoutError']);
});

test('it takes what fetch takes, and checks the key', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  const answers = await page.evaluate(async () => {
    const { fetch: ask, baseURL, apiKey } = window.v1;
    const headers = { authorization: `Bearer ${apiKey}` };
    const url = new URL(`${baseURL}/models?limit=1#top`);
    const responses = await Promise.all([
      ask(`${baseURL}/models`, { headers }),
      ask(url, { headers, keepalive: true }),
      ask('v1/models', { headers }),
      ask(new Request(url, { headers })),
      ask(new Request(url), { headers }),
      ask(`${baseURL}/models`, { method: 'HEAD', headers }),
      ask(`${baseURL}/models`),
      ask(`${baseURL}/models`, { headers: { authorization: 'Bearer sk-none' } }),
    ]);
    return responses.map(({ status, url: place, body }) => [status, place, body !== null]);
  });
  const models = `${site.url}v1/models`;
  expect(answers).toEqual([
    ...[
      [200, models, true],
      [200, `${models}?limit=1`, true],
      [200, models, true],
    ],
    ...[
      [200, `${models}?limit=1`, true],
      [200, `${models}?limit=1`, true],
    ],
    ...[
      [200, models, false],
      [401, models, true],
      [401, models, true],
    ],
  ]);
});

test('other addresses go to the network', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  const answers = await page.evaluate(async () => {
    const paths = ['frame.html', 'v1x/models', new Request('worker.js'), '/nowhere'];
    // A site may replace `fetch` by it.
    window.fetch = window.v1.fetch;
    const responses = await Promise.all(paths.map((path) => window.v1.fetch(path)));
    return responses.map(({ status }) => status);
  });
  expect(answers).toEqual([200, 404, 200, 404]);
});

test('after stop, the session key is refused, and a stream under way fails', async ({
  fresh,
  site,
  hold,
}) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  await hold.at({ tokens: 10 });
  await startStream(page, COUNT);
  await hold.untilHeld();
  await page.evaluate(() => window.v1.stop());
  expect((await untilEnded(page)).done).toBe(false);
  const status = await page.evaluate(
    async () => (await window.post('chat/completions', {})).status,
  );
  expect(status).toBe(401);
});

test('speechUrl says what it lacks', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, WITHOUT);
  const message = await page.evaluate(() =>
    window.v1
      .speechUrl({ model: 'm', input: 'Hi', voice: 'v' })
      .catch((error: Error) => error.message),
  );
  expect(message).toMatch(/service worker.*v1\.fetch/);
});

test('a service worker of the site itself stays, and does not matter', async ({ fresh, site }) => {
  const script = `addEventListener('fetch', (event) => {
    if (event.request.url.includes('/v1')) event.respondWith(new Response('foreign', { status: 418 }));
  });
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));`;
  site.intercept = replaceFile('/own.js', script);
  const page = await openPage(fresh, site.url);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('own.js');
    await navigator.serviceWorker.ready;
  });
  await reloadPage(page);
  await page.evaluate((options) => window.begin(options), WITHOUT);
  expect(await say(page, 'Hello!')).toBe(GREETING);
  const own = await page.evaluate(async () => {
    const { status } = await fetch(`${window.v1.baseURL}/models`);
    return [status, navigator.serviceWorker.controller?.scriptURL];
  });
  expect(own).toEqual([418, `${site.url}own.js`]);
  site.intercept = undefined;
});

test('with a service worker, a page can use both fetches', async ({ ready }) => {
  const texts = await ready.evaluate(
    async (body) => {
      const { fetch: own, baseURL, apiKey } = window.v1;
      const init = { method: 'POST', headers: { authorization: `Bearer ${apiKey}` }, body };
      const responses = [
        await own(`${baseURL}/chat/completions`, init),
        await fetch(`${baseURL}/chat/completions`, init),
      ];
      const answers = await Promise.all(responses.map((response) => response.json()));
      return answers.map(({ choices }) => choices[0].message.content as string);
    },
    JSON.stringify({ model: TINY, messages: [user('Hello!')], temperature: 0 }),
  );
  expect(texts).toEqual([GREETING, GREETING]);
});

test('if api.js is missing, start and v1.fetch say so, and fetch still works', async ({
  fresh,
  site,
}) => {
  site.intercept = (request, response) => {
    const isApi = request.url?.startsWith('/api.js') ?? false;
    if (isApi) response.writeHead(404).end();
    return isApi;
  };
  const page = await openStarted(fresh, site.url, { model: TINY });
  const [code, message] = await startFailure(page, { serviceWorker: false });
  expect([code, message]).toEqual(['api_failed', expect.stringContaining('npx slashv1 init')]);
  const failed = await page.evaluate(() =>
    window.v1.fetch(`${window.v1.baseURL}/models`).catch((error: Error) => error.message),
  );
  expect(failed).toContain('api.js');
  site.intercept = undefined;
  expect((await complete(page, {})).choices).toHaveLength(1);
  const { status } = await page.evaluate(async () => {
    const response = await window.v1.fetch(`${window.v1.baseURL}/models`);
    return { status: response.status };
  });
  expect(status).toBe(401);
});
