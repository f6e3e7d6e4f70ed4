import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartOptions } from '../../../src/index.ts';
import { expect, openPage, test as base, TINY, type TestSite } from '../support/fixtures.ts';
import { FAULTS } from '../support/broken-file.ts';
import { EMBEDDER, LIBRARY_FOLDER, serveTestSite, type Intercept } from '../support/site.ts';

const test = base.extend<{ ownSite: TestSite }>({
  ownSite: async ({ closing }, use) => {
    await use(closing(await serveTestSite('/', ['tiny-chat', 'tiny-embed'])));
  },
});

test.describe.configure({ timeout: 240_000 });

interface Failure {
  code: string | null | undefined;
  message: string;
}

interface Case {
  file: string;
  /** Where the file is, beside the library. */
  content?: Buffer;
  options?: StartOptions;
  /** Code of the error. */
  code: string;
  /** What is done after the start. */
  use?: 'keys';
}

const CASES: Case[] = [
  { file: 'sw.js', code: 'service_worker_failed' },
  { file: 'sw-api.js', code: 'service_worker_failed' },
  { file: 'engine.js', code: 'engine_failed' },
  { file: 'api.js', code: 'api_failed', use: 'keys' },
  { file: 'outlive.js', code: 'api_failed', options: { outlive: true } },
  {
    file: 'packs/index.json',
    content: Buffer.from('{"packs":["tiny-chat/","tiny-embed/"]}'),
    code: 'model_failed',
    options: { model: TINY },
  },
  { file: 'llamacpp.js', code: 'model_failed', options: { model: TINY } },
  { file: 'llamacpp.wasm', code: 'model_failed', options: { model: TINY } },
  { file: 'webllm.js', code: 'model_failed', options: { model: TINY, engines: ['webllm'] } },
  { file: 'onnx.js', code: 'model_failed', options: { model: EMBEDDER } },
  { file: 'onnx.wasm', code: 'model_failed', options: { model: EMBEDDER } },
];

for (const { file, content: own, options = {}, code, use } of CASES) {
  test(`start() says what is wrong with ${file}, whatever the server sends, and works once it is mended`, async ({
    fresh,
    ownSite,
  }) => {
    const type = file.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
    const content = own ?? readFileSync(join(LIBRARY_FOLDER, file));
    const page = await openPage(fresh, ownSite.url);
    for (const [what, [send, message]] of Object.entries(FAULTS)) {
      await test.step(what, async () => {
        const answer = send(content, type);
        ownSite.intercept = ({ url = '' }, response) => {
          // When a connection breaks that was used before, browsers ask again. Chromium 156 may never send that request.
          response.setHeader('connection', 'close');
          if (url.replace(/\?.*/, '') !== `/${file}`) return false;
          answer(response);
          return true;
        };
        const failure = await page.evaluate(failureOf, [options, use] as const);
        // A list of packs that cannot be read may be of any site: no engine starts on it.
        const isUnread = failure.message.includes('is not a list of packs');
        expect(failure.code, failure.message).toBe(isUnread ? 'engine_failed' : code);
        expect(failure.message).toContain(file);
        expect(failure.message).toMatch(message);
      });
    }
    // Once the file is mended, the same page works.
    ownSite.intercept = undefined;
    await page.evaluate(async (given) => (await window.slashv1.start(given)).stop(), options);
  });
}

/** Runs in a page. */
async function failureOf([options, use]: readonly [StartOptions, Case['use']]): Promise<Failure> {
  try {
    const v1 = await window.slashv1.start(options);
    if (use === 'keys') await v1.keys.list();
    return { code: null, message: 'It started.' };
  } catch (error) {
    if (!(error instanceof window.slashv1.StartError)) throw error;
    return { code: error.code, message: error.message };
  }
}

for (const file of ['sw.js', 'sw-api.js']) {
  test(`start() does not wait for ever if the server says nothing for ${file}`, async ({
    fresh,
    ownSite,
  }) => {
    const silent: Parameters<Intercept>[1][] = [];
    ownSite.intercept = ({ url = '' }, response) => {
      const isSilent = url.replace(/\?.*/, '') === `/${file}`;
      if (isSilent) silent.push(response);
      return isSilent;
    };
    const page = await openPage(fresh, ownSite.url);
    const failure = await page.evaluate(async (): Promise<Failure> => {
      const error: unknown = await window.slashv1.start().catch((reason: unknown) => reason);
      if (!(error instanceof window.slashv1.StartError)) throw error;
      return { code: error.code, message: error.message };
    });
    // The server could not close before.
    for (const response of silent) response.destroy();
    expect(failure.code).toBe('service_worker_failed');
    expect(failure.message).toContain(`/${file}`);
    expect(failure.message).toContain('cannot be fetched');
  });
}
/** Scripts whose copies are used without asking the server, because their addresses name the version. */
const KEPT: [file: string, options: StartOptions][] = [
  ['api.js', {}],
  ['webllm.js', { model: TINY, engines: ['webllm'] }],
];

for (const [file, options] of KEPT) {
  test(`a copy of ${file} that was damaged in a cache is fetched again at once`, async ({
    fresh,
    ownSite,
  }) => {
    const page = await openPage(fresh, ownSite.url);
    const use = () =>
      page.evaluate(async (given) => {
        const v1 = await window.slashv1.start(given);
        await v1.keys.list();
      }, options);
    await use();
    const damage = () => page.evaluate(damageCopies, file);
    await expect.poll(damage).toBeGreaterThan(0);
    await page.reload();
    await page.waitForFunction(() => 'slashv1' in window);
    await use();
  });
}

/** Runs in a page. @returns how many copies there were */
async function damageCopies(file: string): Promise<number> {
  let count = 0;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      if (new URL(request.url).pathname !== `/${file}`) continue;
      const headers = { 'content-type': 'text/javascript' };
      await cache.put(request, new Response('export {', { headers }));
      count++;
    }
  }
  return count;
}
