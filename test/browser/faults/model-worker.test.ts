import { complete } from '../support/chat.ts';
import { askWithFault } from '../support/faults.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { ask, TWIN, test as withTwin, loaded } from '../support/hub/many-models.ts';
import { load } from '../support/models.ts';
import { COUNT, COUNTED, user } from '../support/prompts.ts';
import { answerTo, startStream, untilEnded } from '../support/streamed.ts';
import { openTabs } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

const LIST = {
  type: 'json_schema',
  json_schema: {
    name: 'numbers',
    schema: { type: 'array', items: { type: 'integer' }, minItems: 30 },
  },
};

const KINDS: [string, Record<string, unknown>][] = [
  ['of the likeliest tokens', COUNT],
  ['sampled with a seed and penalties', { ...COUNT, temperature: 1, seed: 5, presence_penalty: 1 }],
  ['under a grammar', { ...COUNT, max_tokens: 100, response_format: LIST }],
  ['with logprobs', { ...COUNT, logprobs: true, top_logprobs: 2 }],
];

for (const [name, body] of KINDS) {
  test(`an answer ${name} is the same when the worker of its model is killed`, async ({
    fresh,
    site,
    hold,
  }) => {
    const [reader] = await openTabs(fresh, site, 1);
    const asking = { reader, hold };
    const { whole, answer, faultAt } = await askWithFault(asking, body, () =>
      hold.end('llamacpp.js'),
    );
    const { text, finishReasons } = whole;
    expect(answer).toMatchObject({ text, finishReasons, done: true, error: null });
    expect(answer.usage?.completion_tokens).toBe(whole.usage?.completion_tokens);
    expect(answer.times.at(-1)).toBeGreaterThan(faultAt);
  });
}

test('answers that are written at the same time are the same when the worker is killed', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  const bodies = [1, 2, 3, 4].map((seed) => ({
    messages: [user(`${seed} Count to 60.`)],
    temperature: 1,
    seed,
    max_tokens: 60,
  }));
  const choices = async (body: (typeof bodies)[number]) => (await complete(page, body)).choices;
  const all = () => Promise.all(bodies.map(choices));
  const alone = [];
  for (const body of bodies) alone.push(await choices(body));
  await hold.at({ tokens: 20 });
  const together = all();
  await hold.untilHeld();
  await hold.end('llamacpp.js');
  await hold.release();
  expect(await together).toEqual(alone);
  expect(await all()).toEqual(alone);
});

test('an answer continues when the worker breaks', async ({ fresh, site, hold }) => {
  const [reader] = await openTabs(fresh, site, 1);
  const { answer } = await askWithFault({ reader, hold }, COUNT, () =>
    hold.runIn('llamacpp.js', () => {
      setTimeout(() => {
        throw new Error('The worker is broken.');
      });
    }),
  );
  expect(answer).toMatchObject({ text: COUNTED, finishReasons: ['stop'], done: true });
});

test('a request is answered when the worker is killed while it reads the prompt', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  const long = {
    messages: [user(`${'The sky is blue. '.repeat(200)} Hello!`)],
    temperature: 0,
    max_tokens: 10,
  };
  await hold.at({ batches: 3 });
  await startStream(page, long);
  await hold.untilHeld();
  await hold.end('llamacpp.js');
  expect(await page.evaluate(() => window.streamed.text)).toBe('');
  await hold.release();
  const answer = await untilEnded(page);
  expect(answer).toMatchObject({ status: 200, done: true, error: null });
  expect((await answerTo(page, long)).text).toBe(answer.text);
});

test('the next request is answered after an idle worker was killed', async ({
  fresh,
  site,
  hold,
}) => {
  const [page] = await openTabs(fresh, site, 1);
  for (let time = 0; time < 2; time++) {
    await hold.end('llamacpp.js');
    expect((await answerTo(page, COUNT)).text).toBe(COUNTED);
  }
});

withTwin(
  'if the worker is killed twice, the answer ends with an error; the next one and another model are not affected',
  async ({ open, manyHold }) => {
    withTwin.setTimeout(360_000);
    const page = await open();
    await load(page, TWIN);
    await manyHold.at({ tokens: 10 });
    await startStream(page, COUNT);
    for (const _ of [1, 2]) {
      await manyHold.untilHeld();
      await manyHold.end('llamacpp.js');
      await manyHold.at({ tokens: 10 });
    }
    const answer = await untilEnded(page);
    expect(answer).toMatchObject({ error: 'engine_error', done: false, finishReasons: [] });
    expect(COUNTED).toContain(answer.text);
    await manyHold.release();
    expect(await loaded(page)).toEqual([TWIN]);
    expect(await ask(page, TINY)).toBe('1 2 3 4 5');
    expect(await ask(page, TWIN)).toBe('1 2 3 4 5');
  },
);
