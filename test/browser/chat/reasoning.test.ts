import { chunksOf, complete } from '../support/chat.ts';
import { expect, test, TINY } from '../support/fixtures.ts';
import { CAPITAL, PARIS, user } from '../support/prompts.ts';

const QUESTION = { messages: [user(CAPITAL)], temperature: 0 };
const THOUGHT = 'The user asks for the capital of France. It is Paris.';

test('the thoughts come apart from the answer, under both names, and are counted', async ({
  ready,
}) => {
  const chat_template_kwargs = { enable_thinking: true };
  const { choices, usage } = await complete(ready, { ...QUESTION, chat_template_kwargs });
  expect(choices[0]?.message).toMatchObject({
    content: PARIS,
    reasoning: THOUGHT,
    reasoning_content: THOUGHT,
  });
  const thought = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  expect(thought).toBeGreaterThan(8);
  expect(thought).toBeLessThan(usage?.completion_tokens ?? 0);
});

test('in a stream, all thoughts come before the first text', async ({ ready }) => {
  const chunks = await chunksOf(ready, { ...QUESTION, reasoning_effort: 'high' });
  const kinds = chunks.flatMap(({ choices: [choice] }) => {
    if (choice && 'reasoning_content' in choice.delta) return 'reasoning';
    return choice?.delta.content ? 'text' : [];
  });
  expect(kinds).toContain('reasoning');
  expect(kinds).toContain('text');
  expect(kinds.slice(kinds.indexOf('text'))).not.toContain('reasoning');
});

test('without thinking, an answer has no reasoning fields', async ({ ready }) => {
  const { choices } = await complete(ready, { ...QUESTION, reasoning_effort: 'none' });
  expect(choices[0]?.message).toEqual({ role: 'assistant', content: PARIS, refusal: null });
});

test('the catalog says that the model thinks', async ({ ready }) => {
  const model = await ready.evaluate((id) => window.client.models.retrieve(id), TINY);
  expect(model).toMatchObject({ supported_features: expect.arrayContaining(['reasoning']) });
});
