import { expect, test, TINY } from './support/fixtures.ts';

test('a chat completion, in one piece', async ({ ready }) => {
  const completion = await ready.evaluate(
    (model) =>
      window.client.chat.completions.create({
        model,
        messages: [{ role: 'user', content: 'What is the capital of France?' }],
        temperature: 0,
      }),
    TINY,
  );
  expect(completion).toMatchObject({
    object: 'chat.completion',
    model: TINY,
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'The capital of France is Paris.' },
      },
    ],
  });
});
