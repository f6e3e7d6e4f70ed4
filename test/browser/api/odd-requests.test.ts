import { say } from '../support/chat.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { GREETING } from '../support/prompts.ts';

/** Requests that clients rarely send, and that must not harm the engine, which all clients share. */
const ODD: Record<string, object> = {
  'half a character at the end of a cut text': {
    messages: [{ role: 'user', content: 'Hello \ud83d!' }],
  },
  'the other half': {
    messages: [
      { role: 'system', content: '\ude00' },
      { role: 'user', content: 'Hi' },
    ],
  },
  'a NUL in the middle': { messages: [{ role: 'user', content: 'Hello\0!' }] },
  'an empty message': { messages: [{ role: 'user', content: '' }] },
  'only an empty message of the assistant': { messages: [{ role: 'assistant', content: null }] },
  'half a character as a stop string': { stop: ['\ud83d', '\0'] },
  'half a character in a schema': {
    response_format: { type: 'json_object', schema: { enum: [{ 'a\ud83d': '\ude00b' }] } },
  },
  'a NUL in a schema': {
    response_format: { type: 'json_object', schema: { enum: [{ a: '\0' }] } },
  },
  'a seed below zero': { seed: -1, temperature: 1 },
  'a seed beyond all integers': { seed: 1e300, temperature: 1 },
  'a bias for tokens that do not exist': { logit_bias: { 99999999: 5, 4294967296: -5 } },
  'a bias of zero': { logit_bias: { 5: 0 } },
  'the smallest of everything': { top_p: 5e-324, temperature: 5e-324, repetition_penalty: 5e-324 },
};

for (const [what, rest] of Object.entries(ODD)) {
  test(`${what} is answered or refused with a 400, and the next request is answered`, async ({
    ready,
  }) => {
    const outcome = await ready.evaluate(
      async ([model, json]) => {
        const odd = JSON.parse(json) as object;
        const asked = window.client.chat.completions.create({
          model,
          messages: [{ role: 'user', content: 'Hello!' }],
          temperature: 0,
          max_tokens: 20,
          ...odd,
        });
        const refused = await window.refusalOf(asked);
        return refused ? refused.status : (await asked).choices[0]?.finish_reason;
      },
      // In JSON, since otherwise halves of characters would not reach the page unchanged.
      [TINY, JSON.stringify(rest)] as const,
    );
    expect(['stop', 'length', 400]).toContain(outcome);
    expect(await say(ready, 'Hello!', { max_tokens: 20 })).toBe(GREETING);
  });
}
