import type { Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { killWorker } from '../support/faults.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { withHold } from '../support/hold.ts';
import { user } from '../support/prompts.ts';
import { EMBEDDER, serveTestSite, TINY } from '../support/site.ts';
import { workersOf } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 240_000 });

interface Case {
  engine: string;
  options: StartOptions;
  /** The script of the worker that computes. */
  script: string;
  path: string;
  body: object;
  /** Code of the error, and what it says. */
  code: string;
  message: RegExp;
  /** Where the engine is held. */
  at: { tokens: number } | { batches: number };
}

const COUNTING = { model: TINY, messages: [user('Count to 20.')], temperature: 0 };
const TEXTS = Array.from({ length: 128 }, (_, place) => `${place} apples. `.repeat(9));

const CASES: Case[] = [
  {
    engine: 'WebLLM',
    options: { model: TINY, engines: ['webllm'] },
    script: 'engine.js',
    code: 'engine_error',
    message: /engine\.js does not run: .*It is broken\./,
    path: 'chat/completions',
    body: COUNTING,
    at: { tokens: 5 },
  },
  {
    engine: 'llama.cpp',
    options: { model: TINY, engines: ['llamacpp'] },
    script: 'llamacpp.js',
    code: 'site_file_broken',
    message: /llamacpp\.js/,
    path: 'chat/completions',
    body: COUNTING,
    at: { tokens: 5 },
  },
  {
    engine: 'ONNX Runtime',
    options: { model: EMBEDDER },
    script: 'onnx.js',
    code: 'engine_error',
    message: /ended the .* worker/,
    path: 'embeddings',
    body: { model: EMBEDDER, input: TEXTS },
    at: { batches: 2 },
  },
];

for (const { engine, options, script, code, message, path, body, at } of CASES) {
  test(`a whole answer has a status when ${engine} breaks in its middle and cannot start again`, async ({
    fresh,
    closing,
  }) => {
    const site = closing(await serveTestSite('/', ['tiny-chat', 'tiny-embed']));
    await withHold(site, async (hold) => {
      const page = await openStarted(fresh, site.url, options);
      expect((await ask(page, path, body)).status).toBe(200);
      await hold.at(at);
      const asked = ask(page, path, body);
      await hold.untilHeld();
      site.intercept = ({ url }, response) => {
        if (url !== `/${script}`) return false;
        response
          .writeHead(200, { 'content-type': 'text/javascript' })
          .end('/* slashv1 */ throw new Error("It is broken.");');
        return true;
      };
      const [worker] = workersOf(page, script);
      if (!worker) throw new Error(`There is no worker of ${script}.`);
      await killWorker(worker);
      const { status, text } = await asked;
      expect(status, text).toBe(500);
      const { error } = JSON.parse(text) as { error: { code: string; message: string } };
      expect(error.code).toBe(code);
      expect(error.message).toMatch(message);

      // Once the script is mended, requests are answered.
      site.intercept = undefined;
      await hold.release();
      expect((await ask(page, path, body)).status).toBe(200);
    });
  });
}

function ask(page: Page, path: string, body: object): Promise<{ status: number; text: string }> {
  return page.evaluate(
    async ([below, asked]) => {
      const response = await window.post(below, asked);
      return { status: response.status, text: await response.text() };
    },
    [path, body] as const,
  );
}
