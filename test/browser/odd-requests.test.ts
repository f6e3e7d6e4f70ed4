import { expect, test, TINY } from './support/fixtures.ts';

const HALF = 'Hello \ud83d!';

/** What clients send seldom, and what must not harm the engine that all of them share. */
const ODD: Record<string, object> = {
  'half a character, as a cut text ends': { messages: [{ role: 'user', content: HALF }] },
  'the other half': {
    messages: [
      { role: 'system', content: '\ude00' },
      { role: 'user', content: 'Hi' },
    ],
  },
  'a NUL in the middle': { messages: [{ role: 'user', content: 'Hello\0!' }] },
  'no text at all': { messages: [{ role: 'user', content: '' }] },
  'only the model to speak': { messages: [{ role: 'assistant', content: null }] },
  'half a character to stop at': { stop: ['\ud83d', '\0'] },
  'half a character to be written': {
    response_format: { type: 'json_object', schema: { enum: [{ 'a\ud83d': '\ude00b' }] } },
  },
  'a NUL to be written': {
    response_format: { type: 'json_object', schema: { enum: [{ a: '\0' }] } },
  },
  'a seed below zero': { seed: -1, temperature: 1 },
  'a seed beyond all integers': { seed: 1e300, temperature: 1 },
  'a bias for tokens that there are none of': { logit_bias: { 99999999: 5, 4294967296: -5 } },
  'a bias that is none': { logit_bias: { 5: 0 } },
  'the smallest of everything': { top_p: 5e-324, temperature: 5e-324, repetition_penalty: 5e-324 },
};

for (const [what, rest] of Object.entries(ODD)) {
  test(`${what}: answered, or a bad request, and the next is answered`, async ({ ready }) => {
    const outcome = await ready.evaluate(
      async ([model, json]) => {
        const odd = JSON.parse(json) as object;
        const ask = (more: object) =>
          window.client.chat.completions.create({
            ...{ model, messages: [{ role: 'user', content: 'Hello!' }], temperature: 0 },
            ...{ max_tokens: 20, ...more },
          });
        const first = await ask(odd).then(
          ({ choices }) => choices[0]?.finish_reason,
          (error: unknown) =>
            error instanceof window.OpenAI.APIError
              ? `${error.status} ${error.message}`
              : String(error),
        );
        const next = await ask({});
        return { first, next: next.choices[0]?.message.content };
      },
      // As JSON, which alone brings halves of characters here as they are.
      [TINY, JSON.stringify(rest)] as const,
    );
    expect(outcome.first).toMatch(/^(stop|length|400)/);
    expect(outcome.next).toBe('Hello! How can I help you?');
  });
}
