import type { Page } from 'playwright/test';
import { expect, openPage, test, TINY } from '../support/fixtures.ts';
import { countSubmissions } from '../support/gpu.ts';
import {
  answerTo,
  engineOf,
  openTabs,
  startStream,
  untilEnded,
  untilLength,
  untilMore,
} from '../support/streamed.ts';

// Models are loaded again and again: on a busy machine that takes its time.
test.describe.configure({ timeout: 360_000 });

const user = (content: string) => ({ messages: [{ role: 'user', content }], temperature: 0 });
const COUNT = user('Count to 60.');
/** How long an engine's worker may take to begin. */
const START_MS = 30_000;

test.afterEach(({ site }) => {
  site.builds = {};
  site.intercept = undefined;
});

/** Ends the worker that the engine runs in; the page hears nothing of it, as when memory runs out. */
async function killEngine(page: Page): Promise<void> {
  const worker = engineOf(page);
  const closed = new Promise((resolve) => worker.once('close', resolve));
  await worker.evaluate(() => self.close());
  await closed;
}

test('an answer goes on when the engine’s worker is killed in the middle of it', async ({
  fresh,
  site,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  const whole = await answerTo(page, COUNT);
  await startStream(page, COUNT);
  await untilLength(page, 40);
  await killEngine(page);
  const { text } = whole;
  expect(await untilEnded(page)).toMatchObject({
    ...{ status: 200, text, finishReasons: ['stop'], done: true, error: null },
  });
});

test('an answer comes when the engine’s worker is killed while it reads the prompt', async ({
  fresh,
  site,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  // Seconds of prefill on the CPU, unless an earlier answer has left it in the KV cache.
  const long = { ...user(`${'The sky is blue. '.repeat(200)} Hello!`), max_tokens: 20 };
  const submissions = await countSubmissions(engineOf(page));
  await startStream(page, long);
  await expect.poll(submissions).toBeGreaterThan(0);
  await killEngine(page);
  expect(await page.evaluate(() => window.streamed.text)).toBe('');
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({ status: 200, done: true, error: null });
  expect(answer.text).not.toBe('');
  expect((await answerTo(page, long)).text).toBe(answer.text);
});

test('requests that wait are answered after the engine’s worker was killed', async ({
  fresh,
  site,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  await startStream(page, COUNT);
  await untilLength(page, 20);
  let sent = 0;
  page.on('request', () => sent++);
  const waiting = page.evaluate(async (model) => {
    const ask = () =>
      window.client.chat.completions.create({
        model,
        temperature: 0,
        messages: [{ role: 'user', content: 'Hello!' }],
      });
    const answers = await Promise.all([ask(), ask(), ask()]);
    return answers.map(({ choices }) => choices[0]?.message.content);
  }, TINY);
  await expect.poll(() => sent).toBe(3);
  // The engine has had time to get them: it has written more of the answer before them.
  await untilMore(page);
  await killEngine(page);
  expect(await page.evaluate(() => window.streamed.ended)).toBe(false);
  expect(await waiting).toEqual(Array(3).fill('Hello! How can I help you?'));
  expect(await untilEnded(page)).toMatchObject({ done: true, error: null });
});

test('the next request works after the idle engine’s worker was killed', async ({
  fresh,
  site,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  const whole = await answerTo(page, COUNT);
  for (let time = 0; time < 2; time++) {
    await killEngine(page);
    expect((await answerTo(page, COUNT)).text).toBe(whole.text);
  }
  expect(whole).toMatchObject({ finishReasons: ['stop'], error: null });
});

/** What the GPU's driver might do at any call. */
function breakQueue(page: Page): Promise<void> {
  return engineOf(page).evaluate(() => {
    GPUQueue.prototype.submit = () => {
      throw new Error('The queue is broken.');
    };
  });
}

test('an answer goes on when WebLLM throws in the middle of it', async ({ fresh, site }) => {
  const [page] = await openTabs(fresh, site, 1);
  const { text } = await answerTo(page, COUNT);
  await startStream(page, COUNT);
  await untilLength(page, 40);
  await breakQueue(page);
  expect(await untilEnded(page)).toMatchObject({ text, finishReasons: ['stop'], done: true });
});

test('an answer over which WebLLM throws twice ends with an error, and the next one works', async ({
  fresh,
  site,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  const { text } = await answerTo(page, COUNT);
  let engines = 0;
  site.builds = {
    // The next engine has read the prompt when it breaks; the one after that is whole.
    get 'engine.js'() {
      return engines++ > 0
        ? ''
        : `
        const map = GPUBuffer.prototype.mapAsync;
        let reads = 0;
        GPUBuffer.prototype.mapAsync = function (...range) {
          if (++reads > 5) throw new Error('The buffer is broken.');
          return map.apply(this, range);
        };`;
    },
  };
  await startStream(page, COUNT);
  await untilLength(page, 40);
  await breakQueue(page);
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({ error: 'engine_error', done: false, finishReasons: [] });
  expect(text).toContain(answer.text);
  expect((await answerTo(page, COUNT)).text).toBe(text);
  expect(engines).toBe(2);
});

test('an engine whose worker never begins is begun again', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  let asked = 0;
  // The first time, its script is not answered.
  site.intercept = ({ url }) => url === '/engine.js' && asked++ === 0;
  await page.clock.install();
  const begun = page.evaluate((model) => window.begin({ model }), TINY);
  await expect.poll(() => asked).toBe(1);
  await page.clock.fastForward(START_MS);
  await begun;
  expect(asked).toBe(2);
  expect((await answerTo(page, COUNT)).finishReasons).toEqual(['stop']);
});
