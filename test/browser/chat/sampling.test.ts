import type { Page } from 'playwright/test';
import { refusal, say } from '../support/chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { countTo, LETTERS } from '../support/prompts.ts';

/** The model's answer to a request to count, with these sampling parameters. */
function count(page: Page, sampling: Record<string, number>) {
  return say(page, 'Count to 20.', { max_tokens: 60, ...sampling });
}

const PLAIN = countTo(20);

test('temperature varies the answer, and a top_p of 0 undoes that', async ({ ready }) => {
  expect(await count(ready, { temperature: 0 })).toBe(PLAIN);
  expect(await count(ready, { temperature: 2, seed: 1 })).not.toBe(PLAIN);
  expect(await count(ready, { temperature: 2, seed: 1, top_p: 0 })).toBe(PLAIN);
});

for (const penalty of [{ frequency_penalty: 2 }, { repetition_penalty: 10 }]) {
  test(`${Object.keys(penalty).join()} keeps the model from repeating tokens`, async ({
    ready,
  }) => {
    expect(await count(ready, {})).toBe(PLAIN);
    // The plain answer repeats the spaces between the numbers.
    expect(await count(ready, penalty)).not.toBe(PLAIN);
  });
}

test('presence_penalty changes the answer', async ({ ready }) => {
  const sampling = { temperature: 2, seed: 3 };
  const plain = await count(ready, sampling);
  expect(await count(ready, { ...sampling, presence_penalty: 2 })).not.toBe(plain);
  expect(await count(ready, sampling)).toBe(plain);
});

test('a top_k of 1 and a min_p of 1 leave only the likeliest token', async ({ ready }) => {
  const wild = { temperature: 2, seed: 1 };
  expect(await count(ready, wild)).not.toBe(PLAIN);
  expect(await count(ready, { ...wild, top_k: 1 })).toBe(PLAIN);
  expect(await count(ready, { ...wild, min_p: 1 })).toBe(PLAIN);
});

test('a top_k and a min_p that leave every token change nothing, with penalties too', async ({
  ready,
}) => {
  const sampling = { temperature: 1.5, seed: 7, frequency_penalty: 0.5, repetition_penalty: 1.3 };
  const plain = await count(ready, sampling);
  expect(plain).not.toBe(PLAIN);
  expect(await count(ready, { ...sampling, top_k: 1024 })).toBe(plain);
  expect(await count(ready, { ...sampling, min_p: 1e-30 })).toBe(plain);
});

test('each seed gives its own text, and the same text again', async ({ ready }) => {
  const seeds = [1, 2, 3, 4, 5, 6, -1, 2 ** 31 - 1, 2 ** 53];
  const request = { temperature: 2, reasoning_effort: 'none', response_format: LETTERS } as const;
  const texts: (string | null)[] = [];
  for (const seed of [...seeds, ...seeds.slice(0, 1)]) {
    texts.push(await say(ready, 'Hello!', { ...request, seed }));
  }
  const again = texts.pop();
  expect(texts.filter((text) => !/^"[a-z]{16}"$/.test(String(text)))).toEqual([]);
  expect(new Set(texts).size).toBe(seeds.length);
  expect(again).toBe(texts[0]);
});

test('a bias for a token that does not exist is refused', async ({ ready }) => {
  const refused = await refusal(ready, { logit_bias: { 5: 1, 1024: 1 } });
  expect(refused?.message).toMatch(/logit_bias\.1024.*1023/);
});
