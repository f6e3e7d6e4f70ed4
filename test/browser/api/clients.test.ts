import { test, WEATHER_ANSWER, WEATHER_QUESTION } from '../support/sites/clients-page.ts';
import { expect, TINY } from '../support/fixtures.ts';
import { CAPITAL as QUESTION, PARIS as ANSWER } from '../support/prompts.ts';

test.describe('the openai package', () => {
  test('parses an answer under a zod type', async ({ withClients }) => {
    const parsed = await withClients.evaluate(
      async ([model, content]) => {
        const { z, openai } = window.clients;
        const Pet = z.object({ kind: z.enum(['cat', 'dog']), age: z.int().min(1).max(20) });
        const completion = await window.client.chat.completions.parse({
          model,
          messages: [{ role: 'user', content }],
          temperature: 0,
          response_format: openai.zodResponseFormat(Pet, 'pet'),
        });
        return completion.choices[0]?.message.parsed;
      },
      [TINY, QUESTION] as const,
    );
    expectPet(parsed);
  });

  test('runs tools and gets the final answer', async ({ withClients }) => {
    const { asked, said } = await withClients.evaluate(
      async ([model, content]) => {
        const { z, openai } = window.clients;
        const cities: string[] = [];
        const runner = window.client.chat.completions.runTools({
          model,
          messages: [{ role: 'user', content }],
          temperature: 0,
          stream: true,
          tools: [
            openai.zodFunction({
              name: 'get_weather',
              description: 'Get the weather of a city',
              parameters: z.object({ city: z.string() }),
              function: ({ city }) => {
                cities.push(city);
                return '{"temperature": 21, "condition": "sunny"}';
              },
            }),
          ],
        });
        return { said: await runner.finalContent(), asked: cities };
      },
      [TINY, WEATHER_QUESTION] as const,
    );
    expect(asked).toEqual(['Paris']);
    expect(said).toBe(WEATHER_ANSWER);
  });
});

test.describe('the AI SDK', () => {
  test('generates text', async ({ withClients }) => {
    const result = await withClients.evaluate(
      async ([id, prompt]) => {
        const { ai, aiModel } = window.clients;
        const options = { model: aiModel(id), prompt, temperature: 0, maxRetries: 0 };
        const { text, finishReason, usage } = await ai.generateText(options);
        return { text, finishReason, usage };
      },
      [TINY, QUESTION] as const,
    );
    expect(result).toMatchObject({ text: ANSWER, finishReason: 'stop' });
    expect(result.usage.inputTokens).toBeGreaterThan(5);
  });

  test('streams text', async ({ withClients }) => {
    const { pieces, usage } = await withClients.evaluate(
      async ([id, prompt]) => {
        const { ai, aiModel } = window.clients;
        const options = { model: aiModel(id), prompt, temperature: 0, maxRetries: 0 };
        const result = ai.streamText(options);
        return { pieces: await Array.fromAsync(result.textStream), usage: await result.usage };
      },
      [TINY, QUESTION] as const,
    );
    expect(pieces.join('')).toBe(ANSWER);
    expect(pieces.length).toBeGreaterThan(3);
    expect(usage.outputTokens).toBeGreaterThan(3);
  });

  test('gets an object under a schema, whole and in parts', async ({ withClients }) => {
    const { whole, parts } = await withClients.evaluate(
      async ([id, prompt]) => {
        const { ai, aiModel, z } = window.clients;
        const schema = z.object({ kind: z.enum(['cat', 'dog']), age: z.int().min(1).max(20) });
        const output = ai.Output.object({ schema });
        const options = { model: aiModel(id), prompt, temperature: 0, maxRetries: 0, output };
        const { partialOutputStream } = ai.streamText(options);
        const all = await Array.fromAsync(partialOutputStream);
        return { whole: (await ai.generateText(options)).output, parts: all };
      },
      [TINY, QUESTION] as const,
    );
    expectPet(whole);
    expect(parts.at(-1)).toEqual(whole);
    expect(parts.length).toBeGreaterThan(1);
  });

  test('runs tools in steps', async ({ withClients }) => {
    const { asked, result } = await withClients.evaluate(
      async ([id, prompt]) => {
        const { ai, aiModel, z } = window.clients;
        const cities: string[] = [];
        const get_weather = ai.tool({
          description: 'Get the weather of a city',
          inputSchema: z.object({ city: z.string() }),
          execute: ({ city }) => {
            cities.push(city);
            return '{"temperature": 21, "condition": "sunny"}';
          },
        });
        const options = { model: aiModel(id), prompt, temperature: 0, maxRetries: 0 };
        const stopWhen = ai.isStepCount(3);
        const stream = ai.streamText({ ...options, tools: { get_weather }, stopWhen });
        const reasons = (await stream.steps).map(({ finishReason }) => finishReason);
        return { result: { text: await stream.text, reasons }, asked: cities };
      },
      [TINY, WEATHER_QUESTION] as const,
    );
    expect(asked).toEqual(['Paris']);
    expect(result).toEqual({ text: WEATHER_ANSWER, reasons: ['tool-calls', 'stop'] });
  });

  test('aborts a stream, and the next request is answered', async ({ withClients }) => {
    const { text, next } = await withClients.evaluate(
      async ([id, prompt]) => {
        const { ai, aiModel } = window.clients;
        const controller = new AbortController();
        const options = { model: aiModel(id), temperature: 0, maxRetries: 0 };
        const { signal: abortSignal } = controller;
        const counting = ai.streamText({ ...options, prompt: 'Count to 100.', abortSignal });
        let received = '';
        for await (const piece of counting.textStream) {
          received += piece;
          if (received.length > 8) controller.abort();
        }
        return { text: received, next: (await ai.generateText({ ...options, prompt })).text };
      },
      [TINY, QUESTION] as const,
    );
    expect(text).toMatch(/^1 2 3 4/);
    expect(text).not.toContain('50');
    expect(next).toBe(ANSWER);
  });
});

test.describe('LangChain', () => {
  test('invokes a model', async ({ withClients }) => {
    const message = await withClients.evaluate(
      async ([id, prompt]) => {
        const { text, response_metadata } = await window.clients.langchainModel(id).invoke(prompt);
        return { text, finish_reason: response_metadata['finish_reason'] };
      },
      [TINY, QUESTION] as const,
    );
    expect(message).toEqual({ text: ANSWER, finish_reason: 'stop' });
  });

  test('streams text', async ({ withClients }) => {
    const pieces = await withClients.evaluate(
      async ([id, prompt]) => {
        const texts: string[] = [];
        const stream = await window.clients.langchainModel(id).stream(prompt);
        for await (const { text } of stream) if (text !== '') texts.push(text);
        return texts;
      },
      [TINY, QUESTION] as const,
    );
    expect(pieces.join('')).toBe(ANSWER);
    expect(pieces.length).toBeGreaterThan(3);
  });

  test('gets an object under a schema', async ({ withClients }) => {
    const pet = await withClients.evaluate(
      ([id, prompt]) => {
        const { langchainModel, z } = window.clients;
        const schema = z.object({ kind: z.enum(['cat', 'dog']), age: z.int().min(1).max(20) });
        const model = langchainModel(id).withStructuredOutput(schema, {
          name: 'pet',
          method: 'jsonSchema',
          strict: true,
        });
        return model.invoke(prompt);
      },
      [TINY, QUESTION] as const,
    );
    expectPet(pet);
  });

  test('binds tools, and gets an object through a tool', async ({ withClients }) => {
    const { calls, city } = await withClients.evaluate(
      async ([id, prompt]) => {
        const { langchain, langchainModel, z } = window.clients;
        const schema = z.object({ city: z.string() });
        const named = { name: 'get_weather', description: 'Get the weather of a city' };
        const model = langchainModel(id);
        const bound = model.bindTools([langchain.tool(() => '', { ...named, schema })]);
        const { tool_calls = [] } = await bound.invoke(prompt);
        const structured = model.withStructuredOutput(schema, {
          name: named.name,
          method: 'functionCalling',
        });
        return {
          calls: tool_calls.map(({ name, args }) => ({ name, args })),
          city: await structured.invoke(prompt),
        };
      },
      [TINY, WEATHER_QUESTION] as const,
    );
    expect(calls).toEqual([{ name: 'get_weather', args: { city: 'Paris' } }]);
    expect(city).toEqual({ city: expect.any(String) });
  });

  test('reports a prompt that is too long as ContextOverflowError', async ({ withClients }) => {
    const name = await withClients.evaluate(async (id) => {
      const answer = window.clients.langchainModel(id).invoke('word '.repeat(5_000));
      return answer.then(String, (error: unknown) => (error as Error).name);
    }, TINY);
    expect(name).toBe('ContextOverflowError');
  });
});

function expectPet(pet: unknown): void {
  expect(pet).toEqual({ kind: expect.stringMatching(/^(cat|dog)$/), age: expect.any(Number) });
  const { age } = pet as { age: number };
  expect(age).toBeGreaterThanOrEqual(1);
  expect(age).toBeLessThanOrEqual(20);
}
