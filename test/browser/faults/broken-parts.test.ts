import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import type { StartOptions } from '../../../src/index.ts';
import { expect, openPage, openStarted, begin, test, TINY } from '../support/fixtures.ts';
import { FAULTS, type Fault } from '../support/broken-file.ts';
import { said, phrases, transcribe } from '../support/media/hearing.ts';
import { user } from '../support/prompts.ts';
import {
  EMBEDDER,
  isolate,
  LIBRARY_FOLDER,
  PIPER,
  serveTestSite,
  type Intercept,
} from '../support/site.ts';

// Pages start, and models are loaded, which is slow on a busy machine.
test.describe.configure({ timeout: 240_000 });

interface Answer {
  status: number;
  text: string;
}

const [phrase] = phrases;
if (!phrase) throw new Error('There are no phrases.');
const sound = said(phrase);

const speech = (format: string) => (page: Page) =>
  post(page, 'audio/speech', {
    model: PIPER,
    voice: 'joe',
    input: 'Hello there.',
    response_format: format,
  });
const chat = (page: Page) =>
  post(page, 'chat/completions', { model: TINY, messages: [user('Hello!')], max_tokens: 3 });
const hear = (page: Page) => transcribe(page, sound);
const embedding = (model: string) => (page: Page) =>
  post(page, 'embeddings', { model, input: 'Bread' });

/** Files that are fetched when a request needs them. */
const NEEDED: [file: string, ask: (page: Page) => Promise<Answer>][] = [
  ['speech-english.js', speech('wav')],
  ['speech-mp3.wasm', speech('mp3')],
  ['llamacpp.js', chat],
  ['onnx.js', speech('wav')],
];

/** Files without which requests are answered, too, more slowly or less exactly. */
const SPARED: [file: string, ask: (page: Page) => Promise<Answer>, options?: StartOptions][] = [
  ['llamacpp-threads.js', chat],
  ['llamacpp-threads.wasm', chat],
  ['onnx-thread.js', speech('wav'), { speechThreads: 3 }],
  ['onnx-voice.onnx', hear],
  ['onnx-gpu.js', embedding(EMBEDDER), { speechDevice: 'webgpu' }],
  ['onnx-gpu.wasm', embedding(EMBEDDER), { speechDevice: 'webgpu' }],
];
/** Two kinds of faults: that no file comes, and that it is not the right one. */
const SPARED_FAULTS = ['the status 404', 'half of the file'] as const;

for (const [file, ask] of NEEDED) {
  test(`a request says what is wrong with ${file}, whatever the server sends, and is answered once it is mended`, async ({
    fresh,
    closing,
  }) => {
    const site = closing(await serveTestSite('/', ['tiny-chat', 'test-piper']));
    const page = await openPage(fresh, site.url);
    await begin(page);
    for (const [what, [fault, message]] of Object.entries(FAULTS)) {
      await test.step(what, async () => {
        site.intercept = broken(file, fault);
        const { status, text } = await ask(page);
        expect(status, text).toBe(500);
        const { error } = JSON.parse(text) as { error: { code: string; message: string } };
        expect(error.code).toBe('site_file_broken');
        expect(error.message).toContain(file);
        expect(error.message).toMatch(message);
      });
    }
    // Once the file is mended, the same page is answered.
    site.intercept = undefined;
    expect((await ask(page)).status).toBe(200);
  });
}

for (const [file, ask, options = {}] of SPARED) {
  for (const what of SPARED_FAULTS) {
    test(`a request is answered although the server sends ${what} for ${file}`, async ({
      fresh,
      closing,
    }) => {
      const [fault] = FAULTS[what];
      const packs = ['tiny-chat', 'tiny-embed', 'tiny-hear', 'test-piper'];
      const site = closing(await serveTestSite('/', packs));
      const instead = broken(file, fault);
      site.intercept = (...exchange) => isolate(...exchange) || instead(...exchange);
      const page = await openPage(fresh, site.url);
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
      await begin(page, options);
      const { status, text } = await ask(page);
      expect(status, text).toBe(200);
      expect(site.requests).toContain(`/${file}`);
    });
  }
}

test("the installation of the browser's own model says what is wrong with built-in.js, and fetches it again once that is mended", async ({
  fresh,
  closing,
}) => {
  const file = 'built-in.js';
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  await fresh.addInitScript(() => {
    // The page looks only whether it is there.
    const value = {};
    Object.defineProperty(globalThis, 'LanguageModel', { value, configurable: true });
  });
  const page = await openStarted(fresh, site.url);
  const failure = () =>
    page.evaluate(() =>
      window.v1.models.install('chrome/built-in').catch((error: Error) => error.message),
    );
  for (const [fault, message] of Object.values(FAULTS)) {
    site.intercept = broken(file, fault);
    const found = await failure();
    expect(found).toContain(file);
    expect(found).toMatch(message);
  }
  site.intercept = undefined;
  expect(await failure()).toContain('This browser has no model of its own');
});

function broken(file: string, fault: Fault): Intercept {
  const type = file.endsWith('.js') ? 'text/javascript' : 'application/wasm';
  const send = fault(readFileSync(join(LIBRARY_FOLDER, file)), type);
  return ({ url = '' }, response) => {
    if (url.replace(/\?.*/, '') !== `/${file}`) return false;
    send(response);
    return true;
  };
}

function post(page: Page, path: string, body: object): Promise<Answer> {
  return page.evaluate(
    async ([below, asked]) => {
      const { v1 } = window;
      // A failure has its status however long the model is loaded: a service worker waits only a while for the end.
      const response = await v1.fetch(`${v1.baseURL}/${below}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${v1.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(asked),
      });
      return { status: response.status, text: await response.text() };
    },
    [path, body] as const,
  );
}
