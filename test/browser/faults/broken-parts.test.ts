import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { expect, openPage, begin, test, TINY } from '../support/fixtures.ts';
import { FAULTS, type Fault } from '../support/broken-file.ts';
import { said, phrases, transcribe } from '../support/media/hearing.ts';
import { user } from '../support/prompts.ts';
import { isolate, LIBRARY_FOLDER, PIPER, serveTestSite, type Intercept } from '../support/site.ts';

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

/** Files that are fetched when a request needs them. */
const NEEDED: [file: string, ask: (page: Page) => Promise<Answer>][] = [
  ['speech-english.js', speech('wav')],
  ['speech-mp3.wasm', speech('mp3')],
];

/** Files without which requests are answered, too, more slowly or less exactly. */
const SPARED: [file: string, what: keyof typeof FAULTS, ask: (page: Page) => Promise<Answer>][] = [
  ['llamacpp-threads.js', 'half of the file', chat],
  ['llamacpp-threads.wasm', 'a page', chat],
  ['onnx-thread.js', 'the status 404', speech('wav')],
  ['onnx-voice.onnx', 'a broken connection', hear],
];

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
        expect(error.code).toBe('engine_error');
        expect(error.message).toContain(file);
        expect(error.message).toMatch(message);
      });
    }
    // Once the file is mended, the same page is answered.
    site.intercept = undefined;
    expect((await ask(page)).status).toBe(200);
  });
}

for (const [file, what, ask] of SPARED) {
  test(`a request is answered although the server sends ${what} for ${file}`, async ({
    fresh,
    closing,
  }) => {
    const [fault] = FAULTS[what];
    const site = closing(await serveTestSite('/', ['tiny-chat', 'test-piper', 'tiny-hear']));
    const instead = broken(file, fault);
    site.intercept = (...exchange) => isolate(...exchange) || instead(...exchange);
    const page = await openPage(fresh, site.url);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    await begin(page, { speechThreads: 3 });
    const { status, text } = await ask(page);
    expect(status, text).toBe(200);
    expect(site.requests).toContain(`/${file}`);
  });
}

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
