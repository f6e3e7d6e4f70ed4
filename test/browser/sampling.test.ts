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
