import { expect, test, TINY } from './support/fixtures.ts';

const QUESTION = {
  model: TINY,
  messages: [{ role: 'user' as const, content: 'What is the capital of France?' }],
  temperature: 0,
};

test('thinking is split from the answer, in both names, before it and counted', async ({
  ready,
}) => {
  const { message, usage } = await ready.evaluate(async (request) => {
    const body = { ...request, chat_template_kwargs: { enable_thinking: true } };
    const completion = await window.client.chat.completions.create(body);
    return { message: completion.choices[0]?.message, usage: completion.usage };
  }, QUESTION);
  expect(message).toMatchObject({
    content: 'The capital of France is Paris.',
    reasoning: 'The user asks for the capital of France. It is Paris.',
    reasoning_content: 'The user asks for the capital of France. It is Paris.',
  });
  const thought = usage?.completion_tokens_details?.reasoning_tokens ?? 0;
  expect(thought).toBeGreaterThan(8);
  expect(thought).toBeLessThan(usage?.completion_tokens ?? 0);
});

test('streamed, all thinking comes before the first text', async ({ ready }) => {
  const deltas = await ready.evaluate(async (request) => {
    const stream = await window.client.chat.completions.create({
      ...request,
      reasoning_effort: 'high',
      stream: true,
    });
    const kinds: string[] = [];
    for await (const { choices } of stream) {
      const delta = choices[0]?.delta ?? {};
      if ('reasoning_content' in delta) kinds.push('reasoning');
      else if (delta.content) kinds.push('text');
    }
    return kinds;
  }, QUESTION);
  expect(deltas).toContain('reasoning');
  expect(deltas.slice(deltas.indexOf('text'))).not.toContain('reasoning');
});

test('without thinking there is no trace of it', async ({ ready }) => {
  const message = await ready.evaluate(async (request) => {
    const body = { ...request, reasoning_effort: 'none' as const };
    return (await window.client.chat.completions.create(body)).choices[0]?.message;
  }, QUESTION);
  expect(message).toEqual({
    role: 'assistant',
    content: 'The capital of France is Paris.',
    refusal: null,
  });
});

test('the catalog says that the model thinks', async ({ ready }) => {
  const model = await ready.evaluate((id) => window.client.models.retrieve(id), TINY);
  expect(model).toMatchObject({ supported_features: expect.arrayContaining(['reasoning']) });
});
