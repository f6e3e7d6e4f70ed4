import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartOptions } from '../../../src/index.ts';
import { expect, openPage, test as base, TINY, type TestSite } from '../support/fixtures.ts';
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

/** Sends something else than a file, whatever its query is. */
type Fault = (content: Buffer, type: string) => (response: Parameters<Intercept>[1]) => void;

const FAULTS: Record<string, [send: Fault, message: RegExp]> = {
  'the status 404': [() => (response) => response.writeHead(404).end(), /missing|no models?/],
  'the status 500': [() => (response) => response.writeHead(500).end(), /500|no model/],
  'a page': [
    () => (response) => response.writeHead(200, HTML).end('<!doctype html>'),
    /page in its place|no model|no manifest/,
  ],
  'an empty file': [
    (_, type) => (response) => response.writeHead(200, { 'content-type': type }).end(),
    /is empty|not the manifest/,
  ],
  'half of the file': [
    (content, type) => (response) =>
      response
        .writeHead(200, { 'content-type': type })
        .end(content.subarray(0, content.length / 2)),
    /does not run|cut off|damaged|could not be registered|failed to install|could not be loaded|not the manifest/,
  ],
  'a broken connection': [() => (response) => response.destroy(), /cannot be fetched|no model/],
};
const HTML = { 'content-type': 'text/html; charset=utf-8' };

interface Case {
  file: string;
  /** Where the file is, beside the library. */
  content?: Buffer;
  options?: StartOptions;
  /** Code of the error. */
  code: string;
  /** What the message names in place of the file. */
  names?: string;
  /** What is done after the start. */
  use?: 'keys';
}

const CASES: Case[] = [
  { file: 'sw.js', code: 'service_worker_failed' },
  { file: 'sw-api.js', code: 'service_worker_failed' },
  { file: 'engine.js', code: 'engine_failed' },
  { file: 'api.js', code: 'api_failed', use: 'keys' },
  { file: 'llamacpp.js', code: 'model_failed', options: { model: TINY } },
  { file: 'llamacpp.wasm', code: 'model_failed', options: { model: TINY } },
  { file: 'webllm.js', code: 'model_failed', options: { model: TINY, engines: ['webllm'] } },
  { file: 'onnx.js', code: 'model_failed', options: { model: EMBEDDER } },
  { file: 'onnx.wasm', code: 'model_failed', options: { model: EMBEDDER } },
];

for (const { file, options = {}, code, use } of CASES) {
  for (const [what, [send, message]] of Object.entries(FAULTS)) {
    test(`start() says what is wrong if the server sends ${what} for ${file}`, async ({
      fresh,
      ownSite,
    }) => {
      const type = file.endsWith('.wasm') ? 'application/wasm' : 'text/javascript';
      const content = readFileSync(join(LIBRARY_FOLDER, file));
      const answer = send(content, type);
      ownSite.intercept = ({ url = '' }, response) => {
        // When a connection breaks that was used before, browsers ask again. Chromium 156 may never send that request.
        response.setHeader('connection', 'close');
        if (url.replace(/\?.*/, '') !== `/${file}`) return false;
        answer(response);
        return true;
      };
      const page = await openPage(fresh, ownSite.url);
      const failure = await page.evaluate(
        async ([given, wanted]): Promise<Failure> => {
          try {
            const v1 = await window.slashv1.start(given);
            if (wanted === 'keys') await v1.keys.list();
            return { code: null, message: 'It started.' };
          } catch (error) {
            if (!(error instanceof window.slashv1.StartError)) throw error;
            return { code: error.code, message: error.message };
          }
        },
        [options, use] as const,
      );
      expect(failure.code, failure.message).toBe(code);
      expect(failure.message).toContain(file);
      expect(failure.message).toMatch(message);
      // Once the file is mended, the same page works.
      ownSite.intercept = undefined;
      await page.evaluate(async (given) => (await window.slashv1.start(given)).stop(), options);
    });
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
