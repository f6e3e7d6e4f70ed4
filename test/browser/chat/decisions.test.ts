import type OpenAI from 'openai';
import { likeliest } from '../../../sw/decisions/decision-numbers.ts';
import { DECIDING_MODEL, heldOutQuestions } from '../../unit/support/models/deciding-model.ts';
import type { Item } from '../../../models/decisions/item.ts';
import { expect, openStarted, test } from '../support/fixtures.ts';
import { serveTestSite, TINY } from '../support/site.ts';

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

test('a model that was taught to decide is right about what it has not seen, and says so', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat-decide']));
  const page = await openStarted(fresh, site.url, { model: DECIDING_MODEL });
  const features = await page.evaluate(async () => {
    const { data } = await window.client.models.list();
    return data.map((model) => ({ ...model }) as { supported_features?: string[] });
  });
  expect(features[0]?.supported_features).toContain('decisions');
  const items = heldOutQuestions().filter((_, at) => at % 4 === 0);
  const asked = items.map((item) => ({ input: item.input, question: questionOf(item) }));
  const answers = await page.evaluate(
    async ([model, each]) => {
      const given: GivenAnswer[] = [];
      for (const { input, question } of each) {
        const {
          answers: [answer],
        } = await window.client.decisions.create({ model, input, questions: [question] });
        if (answer?.type === 'refusal') throw new Error('It is refused.');
        given.push({ ...answer });
      }
      return given;
    },
    [DECIDING_MODEL, asked] as const,
  );
  const wrong = items.filter(({ right }, at) => {
    const { probability = 0, probabilities } = answers[at] ?? {};
    const chances = probabilities?.map((each) => each.probability) ?? [
      probability,
      1 - probability,
    ];
    return likeliest(chances) !== right;
  });
  expect(items).toHaveLength(15);
  expect(wrong.length).toBeLessThanOrEqual(1);
});

interface GivenAnswer {
  probability?: number;
  probabilities?: { probability: number }[];
}

function questionOf({
  type,
  instructions,
  options,
}: Item): OpenAI.DecisionCreateParams['questions'][number] {
  const described = options.map(({ name, ...rest }) => ({ value: name, label: name, ...rest }));
  switch (type) {
    case 'predicate':
      return { type, instructions };
    case 'choice':
      return { type, instructions, choices: described };
    case 'score':
      return { type, instructions, levels: described };
  }
}
