import type OpenAI from 'openai';
import { expect, test } from '../support/fixtures.ts';
import { TINY } from '../support/site.ts';

const QUESTIONS: OpenAI.DecisionCreateParams['questions'] = [
  {
    type: 'choice',
    name: 'team',
    instructions: 'Which team?',
    choices: [{ value: 'billing' }, { value: 'sales' }],
  },
  { type: 'predicate', instructions: 'It is about money.' },
  { type: 'score', instructions: 'How angry?', levels: [{ label: 'calm' }, { label: 'angry' }] },
];

test('questions are answered with probabilities, and the input is read once', async ({ ready }) => {
  const ask = (input: string) =>
    ready.evaluate(
      ([model, text, questions]) =>
        window.client.decisions.create({ model, input: text, questions: [...questions] }),
      [TINY, input, QUESTIONS] as const,
    );
  const input = 'I was charged twice, and nobody answers. '.repeat(8);
  const { answers, usage } = await ask(input);
  expect(answers).toHaveLength(3);
  const [choice, predicate, score] = answers;
  expect(choice).toMatchObject({
    type: 'choice',
    choice: expect.stringMatching(/^(billing|sales)$/),
  });
  expect(predicate).toMatchObject({ type: 'predicate', probability: expect.any(Number) });
  expect(score).toMatchObject({ type: 'score', score: expect.any(Number) });
  const again = await ask(input);
  expect(again.usage.input_tokens).toBe(usage.input_tokens);
  expect(again.usage.input_tokens_details.cached_tokens).toBeGreaterThan(90);
  // Six readings of some 50 tokens each, and the input once.
  expect(usage.input_tokens).toBeLessThan(500);
  const systemOne = await ready.evaluate(
    async ([model, state]) => {
      const questions = { money: { type: 'noul', instructions: 'It is about money.' } };
      const answer = await window.client.post('/systemone', { body: { model, state, questions } });
      return JSON.stringify(answer);
    },
    [TINY, input] as const,
  );
  const { probability } = predicate as { probability: number };
  expect(JSON.parse(systemOne)).toMatchObject({
    answers: { money: { type: 'noul', noul: expect.closeTo(probability, 3) } },
  });
});
