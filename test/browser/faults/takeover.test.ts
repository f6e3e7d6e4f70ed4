import type { Page } from 'playwright/test';
import { expect, openPage, test } from '../support/fixtures.ts';
import {
  answerTo,
  openTabs,
  reportPause,
  startStream,
  untilEnded,
  untilLength,
} from '../support/streamed.ts';

// Models are loaded again and again: on a busy machine that takes its time.
test.describe.configure({ timeout: 360_000 });

const user = (content: string) => ({ messages: [{ role: 'user', content }] });
const COUNT = { ...user('Count to 60.'), temperature: 0 };

/** The ways in which the tab with the engine ends. */
const ENDS: [string, (leader: Page) => Promise<unknown>][] = [
  ['is closed', (leader) => leader.close()],
  ['goes to another page', (leader) => leader.goto('about:blank')],
];

/** How many tabs are left. CI has 25 minutes: `npm run test:faults` has all of them. */
const OTHERS = process.env['CI'] ? [1, 5] : [1, 2, 5];

for (const [name, end] of ENDS) {
  for (const others of OTHERS) {
    test(`a stream goes on in the same response when the tab with the engine ${name}, ${others} left`, async ({
      fresh,
      site,
    }) => {
      const [leader, reader, ...rest] = await openTabs(fresh, site, 1 + others);
      if (!reader) throw new Error('No other tab.');
      const whole = await answerTo(reader, COUNT);
      await startStream(reader, COUNT);
      await untilLength(reader, 40);
      const endedAt = Date.now();
      await end(leader);
      const answer = await untilEnded(reader);
      expect(answer).toMatchObject({
        ...{ status: 200, text: whole.text, finishReasons: ['stop'], done: true, error: null },
        usage: {
          prompt_tokens: whole.usage?.prompt_tokens,
          completion_tokens: whole.usage?.completion_tokens,
        },
      });
      reportPause(answer.times, endedAt);
      expect((await answerTo(rest.at(-1) ?? reader, COUNT)).text).toBe(whole.text);
    });
  }
}

async function crash(page: Page): Promise<void> {
  const crashed = new Promise((resolve) => page.once('crash', resolve));
  void page.goto('chrome://crash').catch(() => undefined);
  await crashed;
}

for (const others of OTHERS) {
  test(`a stream goes on when the process of the tab with the engine crashes, ${others} left`, async ({
    fresh,
    site,
  }) => {
    // The service worker runs in the process of the page that registered it.
    const registering = await openPage(fresh, site.url);
    await registering.evaluate(async () => {
      await navigator.serviceWorker.register('sw.js');
      await navigator.serviceWorker.ready;
    });
    const [leader, reader] = await openTabs(fresh, site, 1 + others);
    if (!reader) throw new Error('No other tab.');
    const whole = await answerTo(reader, COUNT);
    await startStream(reader, COUNT);
    await untilLength(reader, 40);
    await crash(leader);
    const { text } = whole;
    expect(await untilEnded(reader)).toMatchObject({ text, finishReasons: ['stop'], done: true });
  });
}

test('a stream goes on when all tabs but its own are closed at once', async ({ fresh, site }) => {
  const tabs = await openTabs(fresh, site, 6);
  const reader = tabs.pop();
  if (!reader) throw new Error('No tab.');
  const whole = await answerTo(reader, COUNT);
  await startStream(reader, COUNT);
  await untilLength(reader, 40);
  await Promise.all(tabs.map((tab) => tab.close()));
  const { text } = whole;
  expect(await untilEnded(reader)).toMatchObject({ text, finishReasons: ['stop'], done: true });
  expect((await answerTo(reader, COUNT)).text).toBe(text);
});

test('a crash that takes the service worker along ends a stream as broken, and the next one works', async ({
  fresh,
  site,
}) => {
  const [leader, reader] = await openTabs(fresh, site, 2);
  if (!reader) throw new Error('No other tab.');
  const whole = await answerTo(reader, COUNT);
  await startStream(reader, COUNT);
  await untilLength(reader, 40);
  await crash(leader);
  const answer = await untilEnded(reader);
  expect(answer).toMatchObject({ done: false, finishReasons: [] });
  expect(answer.error).not.toBeNull();
  expect((await answerTo(reader, COUNT)).text).toBe(whole.text);
});

test('a stream outlives one tab after the other', async ({ fresh, site }) => {
  const tabs = await openTabs(fresh, site, 4);
  const reader = tabs.pop();
  if (!reader) throw new Error('No tab.');
  const whole = await answerTo(reader, COUNT);
  await startStream(reader, COUNT);
  for (const [index, tab] of tabs.entries()) {
    await untilLength(reader, 20 * (index + 1));
    await tab.close();
  }
  const answer = await untilEnded(reader);
  expect(answer).toMatchObject({ text: whole.text, finishReasons: ['stop'], done: true });
});

/** What the model draws by chance, thinks, and is held to by a grammar. */
const KINDS: [string, Record<string, unknown>][] = [
  ['sampled with a seed', { ...user('Count to 60.'), temperature: 1, seed: 5 }],
  ['with thinking', { ...user('What is the capital of France? /think'), temperature: 0 }],
  [
    'held to a schema',
    {
      ...user('Count to 60.'),
      temperature: 0,
      max_tokens: 100,
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'numbers',
          schema: { type: 'array', items: { type: 'integer' }, minItems: 30 },
        },
      },
    },
  ],
  ['that ends at a stop string', { ...COUNT, stop: ['39 40'] }],
  ['with penalties', { ...COUNT, frequency_penalty: 1, presence_penalty: 1 }],
];

for (const [name, body] of KINDS) {
  test(`an answer ${name} is the same with and without a change of the engine`, async ({
    fresh,
    site,
  }) => {
    const [leader, reader] = await openTabs(fresh, site, 2);
    if (!reader) throw new Error('No other tab.');
    const whole = await answerTo(reader, body);
    await startStream(reader, body);
    await untilLength(reader, Math.floor(whole.text.length / 3));
    await leader.close();
    const answer = await untilEnded(reader);
    const { text, finishReasons } = whole;
    expect(answer).toMatchObject({ text, finishReasons, done: true, error: null });
    expect(answer.usage?.completion_tokens).toBe(whole.usage?.completion_tokens);
  });
}
