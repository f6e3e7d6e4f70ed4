import type { Page } from 'playwright/test';
import { expect, test, TINY } from './support/fixtures.ts';

/** The model's answer to one request to count, with these sampling parameters. */
function count(page: Page, sampling: Record<string, number>): Promise<string | null | undefined> {
  return page.evaluate(
    async ([model, parameters]) => {
      const { choices } = await window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'Count to 20.' }],
        temperature: 0,
        max_tokens: 60,
        ...parameters,
      });
      return choices[0]?.message.content;
    },
    [TINY, sampling] as const,
  );
}

const PLAIN = Array.from({ length: 20 }, (_, index) => index + 1).join(' ');

test('temperature makes the answer vary, and top_p takes that back', async ({ ready }) => {
  expect(await count(ready, { temperature: 0 })).toBe(PLAIN);
  expect(await count(ready, { temperature: 2, seed: 1 })).not.toBe(PLAIN);
  expect(await count(ready, { temperature: 2, seed: 1, top_p: 0 })).toBe(PLAIN);
});

for (const penalty of [{ frequency_penalty: 2 }, { repetition_penalty: 10 }]) {
  test(`${Object.keys(penalty).join()} keeps the model from saying the same again`, async ({
    ready,
  }) => {
    expect(await count(ready, {})).toBe(PLAIN);
    // The spaces between the numbers are what it says again and again.
    expect(await count(ready, penalty)).not.toBe(PLAIN);
  });
}

test('presence_penalty changes what is likely', async ({ ready }) => {
  const sampling = { temperature: 2, seed: 3 };
  const plain = await count(ready, sampling);
  expect(await count(ready, { ...sampling, presence_penalty: 2 })).not.toBe(plain);
  expect(await count(ready, sampling)).toBe(plain);
});

test('top_k of one, and a min_p of one, leave only the likeliest token', async ({ ready }) => {
  const wild = { temperature: 2, seed: 1 };
  expect(await count(ready, wild)).not.toBe(PLAIN);
  expect(await count(ready, { ...wild, top_k: 1 })).toBe(PLAIN);
  expect(await count(ready, { ...wild, min_p: 1 })).toBe(PLAIN);
});

test('limits that leave every token change nothing, penalties and bias beside them included', async ({
  ready,
}) => {
  const sampling = { temperature: 1.5, seed: 7, frequency_penalty: 0.5, repetition_penalty: 1.3 };
  const plain = await count(ready, sampling);
  expect(plain).not.toBe(PLAIN);
  expect(await count(ready, { ...sampling, top_k: 1024 })).toBe(plain);
  expect(await count(ready, { ...sampling, min_p: 1e-30 })).toBe(plain);
});

test('one seed gives one text, small seeds next to each other give others', async ({ ready }) => {
  const seeds = [1, 2, 3, 4, 5, 6, -1, 2 ** 31 - 1, 2 ** 53];
  const texts = await ready.evaluate(
    async ([model, all]) => {
      const contents: unknown[] = [];
      for (const seed of [...all, ...all.slice(0, 1)]) {
        const { choices } = await window.client.chat.completions.create({
          ...{ model, seed, temperature: 2, reasoning_effort: 'none' },
          messages: [{ role: 'user', content: 'Hello!' }],
          // Letters of which the model has nothing to say: hardly one is likelier than another.
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'x', schema: { type: 'string', pattern: '^[a-z]{16}$' } },
          },
        });
        contents.push(choices[0]?.message.content);
      }
      return contents;
    },
    [TINY, seeds] as const,
  );
  const again = texts.pop();
  expect(texts.filter((text) => !/^"[a-z]{16}"$/.test(String(text)))).toEqual([]);
  expect(new Set(texts).size).toBe(seeds.length);
  expect(again).toBe(texts[0]);
});

test('a bias for a token that the model has not is refused', async ({ ready }) => {
  const refused = ready.evaluate(async (model) => {
    const messages = [{ role: 'user' as const, content: 'Hello!' }];
    const body = { model, messages, logit_bias: { 5: 1, 1024: 1 } };
    await window.client.chat.completions.create(body);
  }, TINY);
  await expect(refused).rejects.toThrow(/logit_bias\.1024.*1023/);
});
