import { expect, test } from 'vitest';
import { ConstraintError } from '../../../../../src/engine/conversation/constraint/output-constraint.ts';
import type { Generation } from '../../../../../src/engine/conversation/text-model.ts';
import { MOST_OUTPUTS } from '../../../../../src/engine/llamacpp/worker/llama.ts';
import {
  anyGeneration,
  below,
  CONTEXT,
  oneOf,
  openRealModel,
  PROMPTS,
} from '../../../support/models/real-answers.ts';

const ROUNDS = Number(process.env['SHARED_ROUNDS'] ?? 20);

const GREEDY: Generation = {
  sampling: { temperature: 0 },
  random: { seed: 1, choice: 0, drawn: 0 },
  maxTokens: 60,
};

/** What an answer is alone: a model of its own has nothing in its KV caches. */
async function alone(question: string, generation: Generation) {
  const { ask } = await openRealModel(MOST_OUTPUTS - 1);
  return (await ask(question, generation)).answer;
}

/** The parts of an answer that may not depend on other answers. */
function essence({ pieces, finish, counts }: Awaited<ReturnType<typeof alone>>) {
  return { pieces, finish, written: counts.completionTokens };
}

test('four answers at a time are what each is alone, to the last bit of their probabilities', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const model = await openRealModel(MOST_OUTPUTS - 1);
    const asked = Array.from({ length: 4 }, (_, index) => ({
      // Different beginnings, so that none is copied from another one.
      question: `${index}${round} ${oneOf(PROMPTS)}`,
      generation: anyGeneration(),
    }));
    const together = await Promise.all(
      asked.map(({ question, generation }) => model.ask(question, generation)),
    );
    const shared = model.decode.mock.calls.filter(([batches]) => batches.length > 1);
    expect(shared.length).toBeGreaterThan(0);
    for (const [index, { question, generation }] of asked.entries()) {
      const expected = await alone(question, generation);
      const { answer } = together[index] ?? {};
      expect(answer && essence(answer)).toEqual(essence(expected));
    }
  }
}, 600_000);

test("one that is aborted, one at its context's end and one with a broken grammar change no other", async () => {
  const model = await openRealModel(MOST_OUTPUTS - 1);
  const broken: Generation = { ...GREEDY, constraint: { type: 'grammar', grammar: 'root ::= (' } };
  const long = `${'count on '.repeat(CONTEXT / 4)} Count to 100.`;
  const endless = { ...GREEDY, maxTokens: 4 * CONTEXT, ending: { ignoresEnd: true } };
  const [whole, stopped, failed, full] = await Promise.allSettled([
    model.ask('Count to 100.', GREEDY),
    model.ask('What is the weather in Paris?', GREEDY, { stopsAt: 2 + below(10) }),
    model.ask('Tell me about yourself.', broken),
    model.ask('Count to 1000.', endless),
    model.ask(long.slice(0, 600), GREEDY),
  ]);
  const expected = await alone('Count to 100.', GREEDY);
  expect(whole).toMatchObject({ status: 'fulfilled' });
  if (whole?.status === 'fulfilled') {
    expect(essence(whole.value.answer)).toEqual(essence(expected));
  }
  expect(stopped).toMatchObject({ value: { answer: { finish: { reason: 'stop' } } } });
  expect(failed).toMatchObject({ reason: expect.any(ConstraintError) });
  expect(full).toMatchObject({ value: { answer: { finish: { reason: 'length' } } } });
}, 120_000);

test('a prompt that begins as one that is being answered is copied, not read again', async () => {
  const model = await openRealModel(0);
  const beginning = 'A long beginning that both of them have in common, word by word. '.repeat(4);
  const read = (answer: Awaited<ReturnType<typeof model.ask>>) => answer.answer.counts.cachedTokens;
  const [first, second] = await Promise.all([
    model.ask(`${beginning}Count to 100.`, GREEDY),
    model.ask(`${beginning}Tell me about yourself.`, GREEDY),
  ]);
  expect(read(first)).toBe(0);
  expect(read(second)).toBeGreaterThan(50);
});
