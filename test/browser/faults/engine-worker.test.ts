import { begin, expect, openPage, test, TINY } from '../support/fixtures.ts';
import { complete } from '../support/chat.ts';
import { askWithFault } from '../support/faults.ts';
import { untilWaiting } from '../support/models.ts';
import { COUNT, COUNTED, GREETING, user } from '../support/prompts.ts';
import { answerTo, startStream, untilEnded } from '../support/streamed.ts';
import { openTabs } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

test.afterEach(({ site }) => {
  site.builds = {};
  site.intercept = undefined;
});

test('an answer continues when the engine’s worker is killed', async ({ fresh, site, hold }) => {
  const [reader] = await openTabs(fresh, site, 1);
  const { answer } = await askWithFault({ reader, hold }, COUNT, () => hold.end('engine.js'));
  expect(answer).toMatchObject({
    status: 200,
    text: COUNTED,
    finishReasons: ['stop'],
    done: true,
    error: null,
  });
});

test('a request is answered when the engine’s worker is killed while it reads the prompt', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  const long = {
    messages: [user(`${'The sky is blue. '.repeat(200)} Hello!`)],
    temperature: 0,
    max_tokens: 20,
  };
  await hold.at({ batches: 1 });
  await startStream(page, long);
  await hold.untilHeld();
  await hold.end('engine.js');
  expect(await page.evaluate(() => window.streamed.text)).toBe('');
  await hold.release();
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({ status: 200, done: true, error: null });
  expect(answer.text).not.toBe('');
  expect((await answerTo(page, long)).text).toBe(answer.text);
});

test('waiting requests are answered after the engine’s worker was killed', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  await hold.at({ tokens: 10 });
  await startStream(page, COUNT);
  await hold.untilHeld();
  const waiting = [1, 2, 3].map(() => complete(page, { temperature: 0 }));
  await untilWaiting(page, 3);
  await hold.end('engine.js');
  await hold.release();
  expect(await page.evaluate(() => window.streamed.ended)).toBe(false);
  const texts = (await Promise.all(waiting)).map(({ choices }) => choices[0]?.message.content);
  expect(texts).toEqual([GREETING, GREETING, GREETING]);
  expect(await untilEnded(page)).toMatchObject({ text: COUNTED, done: true, error: null });
});

test('an answer continues when the engine’s worker is killed twice, each time after it wrote something', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  await hold.at({ tokens: 10 });
  await startStream(page, COUNT);
  for (const rest of [10, undefined]) {
    await hold.untilHeld();
    await hold.end('engine.js');
    await hold.at(rest === undefined ? {} : { tokens: rest });
  }
  expect(await untilEnded(page)).toMatchObject({
    text: COUNTED,
    finishReasons: ['stop'],
    done: true,
    error: null,
  });
});

test('an answer that is not streamed is whole although the engine’s worker was killed', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  await hold.at({ tokens: 10 });
  const answer = complete(page, COUNT);
  await hold.untilHeld();
  await hold.end('engine.js');
  await hold.release();
  const { choices } = await answer;
  expect(choices).toMatchObject([{ message: { content: COUNTED }, finish_reason: 'stop' }]);
});

test('the next request is answered after an idle engine’s worker was killed', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  for (let time = 0; time < 2; time++) {
    await hold.end('engine.js');
    expect((await answerTo(page, COUNT)).text).toBe(COUNTED);
  }
});

test('an engine’s worker that does not start is started again', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  let unanswered = 0;
  // The worker's first request for its script gets no answer. The page may look at the script, too, and the next worker
  // may then get it from the browser's cache.
  site.intercept = ({ url, headers }) =>
    url === '/engine.js' &&
    String(headers['sec-fetch-dest']).endsWith('worker') &&
    unanswered++ === 0;
  // The half minute that a worker has to start goes by: a clock that jumps would also end other requests of the page.
  await begin(page, { model: TINY });
  expect(unanswered).toBeGreaterThan(0);
  expect((await answerTo(page, COUNT)).finishReasons).toEqual(['stop']);
});

test('a model’s worker that does not start gets another one beside it', async ({ fresh, site }) => {
  const page = await openPage(fresh, site.url);
  let hanging = 0;
  site.intercept = ({ url }, response) => {
    if (url !== '/llamacpp.js' || hanging++ > 0) return false;
    response.setHeader('content-type', 'text/javascript').end('await new Promise(() => {});');
    return true;
  };
  await begin(page, { model: TINY });
  expect(hanging).toBeGreaterThan(0);
  expect((await answerTo(page, COUNT)).finishReasons).toEqual(['stop']);
});
