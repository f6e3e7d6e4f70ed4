import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test, TINY } from '../support/fixtures.ts';

/** Held-out prompts and the answers that the model was taught, written by its evaluation. */
const casesSchema = v.array(v.object({ kind: v.string(), prompt: v.string(), expect: v.string() }));
const file = new URL('../../fixtures/tiny-chat-cases.json', import.meta.url);
const cases = v.parse(casesSchema, JSON.parse(readFileSync(file, 'utf8')));
const kinds = [...new Set(cases.map(({ kind }) => kind))];

for (const kind of kinds) {
  test(`tiny-chat answers as it was taught: ${kind}`, async ({ ready }) => {
    const ofKind = cases.filter((each) => each.kind === kind);
    const answers = await ready.evaluate(
      async ([model, prompts]) => {
        const texts: string[] = [];
        for (const prompt of prompts) {
          const request = { model, prompt, temperature: 0, max_tokens: 400 };
          const { choices } = await window.client.completions.create(request);
          texts.push(choices[0]?.text ?? '');
        }
        return texts;
      },
      [TINY, ofKind.map(({ prompt }) => prompt)] as const,
    );
    expect(answers).toEqual(ofKind.map(({ expect: expected }) => expected));
  });
}
