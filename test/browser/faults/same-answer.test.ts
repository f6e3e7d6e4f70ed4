import { askWithFault } from '../support/faults.ts';
import { expect, test } from '../support/fixtures.ts';
import { COUNT, user } from '../support/prompts.ts';
import { openTabs } from '../support/browser/tabs.ts';

// Models are loaded several times, which is slow on a busy machine.
test.describe.configure({ timeout: 360_000 });

const counting = [user('Count to 60.')];

/** With which both engines are tried. */
const OF_BOTH: [string, Record<string, unknown>][] = [
  ['of the likeliest tokens', COUNT],
  ['sampled with a seed', { messages: counting, temperature: 1, seed: 5 }],
];

const KINDS: [string, Record<string, unknown>][] = [
  ...OF_BOTH,
  ['with thinking', { messages: [user('What is the capital of France? /think')], temperature: 0 }],
  [
    'under a JSON Schema',
    {
      messages: counting,
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
  ['with a stop string', { ...COUNT, stop: ['39 40'] }],
  ['with penalties', { ...COUNT, frequency_penalty: 1, presence_penalty: 1 }],
];

for (const [name, body] of KINDS) {
  const tag = OF_BOTH.some(([of]) => of === name) ? [] : ['@llamacpp'];
  test(
    `an answer ${name} is the same when another tab takes over`,
    { tag },
    async ({ fresh, site, hold }) => {
      const [leader, reader] = await openTabs(fresh, site, 2);
      const asking = { reader, hold };
      const { whole, answer, faultAt } = await askWithFault(asking, body, () => leader.close());
      const { text, finishReasons } = whole;
      expect(answer).toMatchObject({ text, finishReasons, done: true, error: null });
      expect(answer.usage?.completion_tokens).toBe(whole.usage?.completion_tokens);
      expect(answer.times.at(-1)).toBeGreaterThan(faultAt);
    },
  );
}
