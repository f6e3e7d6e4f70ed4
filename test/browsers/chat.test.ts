import { say } from '../browser/support/chat.ts';
import { COUNT, COUNTED, GREETING, LETTERS, user } from '../browser/support/prompts.ts';
import { TINY } from '../browser/support/site.ts';
import { answerTo } from '../browser/support/streamed.ts';
import { expect, test } from './support/fixtures.ts';

test('the openai package streams an answer', async ({ ready }) => {
  const { text, pieces, finish } = await ready.evaluate(
    async (body) => {
      const stream = await window.client.chat.completions.create({ ...body, stream: true });
      const chunks = await Array.fromAsync(stream);
      const choices = chunks.flatMap((chunk) => chunk.choices);
      const contents = choices.flatMap(({ delta }) => delta.content ?? []);
      return {
        text: contents.join(''),
        pieces: contents.length,
        finish: choices.at(-1)?.finish_reason,
      };
    },
    { model: TINY, ...COUNT },
  );
  expect(text).toBe(COUNTED);
  expect(pieces).toBeGreaterThan(30);
  expect(finish).toBe('stop');
});

test('the text of a stream arrives piece by piece', async ({ ready }) => {
  const { times, ...answer } = await answerTo(ready, COUNT);
  expect(answer).toMatchObject({ text: COUNTED, done: true, error: null });
  expect(new Set(times).size).toBeGreaterThan(3);
});

test('after a stream is aborted, the next request is answered as usual', async ({ ready }) => {
  const received = await ready.evaluate(
    async (body) => {
      const stream = await window.client.chat.completions.create({ ...body, stream: true });
      let text = '';
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        if (text.length > 8) break;
      }
      return text;
    },
    { model: TINY, ...COUNT },
  );
  expect(received).toMatch(/^1 2 3 4/);
  expect(await say(ready, 'Hello!')).toBe(GREETING);
});

test('runTools of the openai package calls the page’s function and answers with its result', async ({
  ready,
}) => {
  const { content, asked } = await ready.evaluate(
    async ([model, message]) => {
      const args: unknown[] = [];
      const runner = window.client.chat.completions.runTools({
        model,
        messages: [message],
        temperature: 0,
        stream: true,
        tools: [
          {
            type: 'function',
            function: {
              name: 'get_weather',
              description: 'Get the weather of a city',
              parameters: {
                type: 'object',
                properties: { city: { type: 'string' } },
                required: ['city'],
              },
              parse: (json: string): unknown => JSON.parse(json),
              function: (value: unknown) => {
                args.push(value);
                return '{"temperature": 21, "condition": "sunny"}';
              },
            },
          },
        ],
      });
      return { content: await runner.finalContent(), asked: args };
    },
    [TINY, user('What is the weather in Paris?')] as const,
  );
  expect(asked).toEqual([{ city: 'Paris' }]);
  expect(content).toBe('The weather in Paris is sunny, 21 degrees.');
});

test('under a JSON Schema, the answer is valid', async ({ ready }) => {
  const content = await say(ready, 'Hello!', { response_format: LETTERS });
  expect(JSON.parse(content ?? '')).toMatch(/^[a-z]{16}$/);
});
