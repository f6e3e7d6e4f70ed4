import { test, WEATHER_ANSWER, WEATHER_QUESTION } from '../support/sites/clients-page.ts';
import { expect, TINY } from '../support/fixtures.ts';
import { CAPITAL as QUESTION, PARIS as ANSWER } from '../support/prompts.ts';

const WEATHER = '{"temperature": 21, "condition": "sunny"}';

test.describe('the Responses API', () => {
  test('answers the openai package, streams, and remembers its answer', async ({ ready }) => {
    const { text, types, streamed, second, items } = await ready.evaluate(
      async ([model, input]) => {
        const { responses, conversations } = window.client;
        const request = { model, input, temperature: 0 };
        const first = await responses.create(request);
        const events = await Array.fromAsync(await responses.create({ ...request, stream: true }));
        const again = { ...request, input: 'Hello!', previous_response_id: first.id };
        const deltas = events.flatMap((event) =>
          event.type === 'response.output_text.delta' ? event.delta : [],
        );
        const { id: conversation } = await conversations.create({});
        await responses.create({ ...request, conversation });
        const { data } = await conversations.items.list(conversation);
        return {
          items: data.map(({ type }) => type),
          text: first.output_text,
          types: events.map(({ type }) => type),
          streamed: deltas.join(''),
          second: (await responses.create(again)).usage?.input_tokens ?? 0,
        };
      },
      [TINY, QUESTION] as const,
    );
    expect(text).toBe(ANSWER);
    expect(streamed).toBe(ANSWER);
    expect(types[0]).toBe('response.created');
    expect(types.at(-1)).toBe('response.completed');
    // The whole conversation was read.
    expect(second).toBeGreaterThan(20);
    // The question and its answer are in their conversation.
    expect(items).toEqual(['message', 'message']);
  });

  test('runs tools in several turns with the AI SDK’s default model', async ({ withClients }) => {
    const said = await withClients.evaluate(
      async ([id, prompt, weather]) => {
        const { ai, aiResponses, z } = window.clients;
        const get_weather = ai.tool({
          description: 'Get the weather of a city',
          inputSchema: z.object({ city: z.string() }),
          execute: () => weather,
        });
        const { text, steps } = await ai.generateText({
          model: aiResponses(id),
          prompt,
          temperature: 0,
          maxRetries: 0,
          tools: { get_weather },
          stopWhen: ai.isStepCount(3),
        });
        return { text, reasons: steps.map(({ finishReason }) => finishReason) };
      },
      [TINY, WEATHER_QUESTION, WEATHER] as const,
    );
    expect(said).toEqual({ text: WEATHER_ANSWER, reasons: ['tool-calls', 'stop'] });
  });

  test('runs an agent of OpenAI’s Agents SDK', async ({ withClients }) => {
    const output = await withClients.evaluate(
      async ([model, prompt, weather]) => {
        const { agents, z } = window.clients;
        const get_weather = agents.tool({
          name: 'get_weather',
          description: 'Get the weather of a city',
          parameters: z.object({ city: z.string() }),
          execute: () => weather,
        });
        const agent = new agents.Agent({
          name: 'Assistant',
          model,
          tools: [get_weather],
          modelSettings: { temperature: 0 },
        });
        return (await agents.runner().run(agent, prompt)).finalOutput;
      },
      [TINY, WEATHER_QUESTION, WEATHER] as const,
    );
    expect(output).toBe(WEATHER_ANSWER);
  });
});

test.describe('the Messages API', () => {
  test('answers Anthropic’s package, streams, and counts tokens', async ({ withClients }) => {
    const seen = await withClients.evaluate(
      async ([model, content]) => {
        const { messages } = window.clients.anthropic();
        const request = {
          model,
          max_tokens: 100,
          temperature: 0,
          messages: [{ role: 'user' as const, content }],
        };
        const { content: blocks, usage, stop_reason } = await messages.create(request);
        const streamed = await messages.stream(request).finalText();
        const { input_tokens: counted } = await messages.countTokens(request);
        const { input_tokens: fresh, cache_read_input_tokens: cached } = usage;
        return { blocks, streamed, stop_reason, counted, read: fresh + (cached ?? 0) };
      },
      [TINY, QUESTION] as const,
    );
    expect(seen.blocks).toMatchObject([{ type: 'text', text: ANSWER }]);
    expect(seen.streamed).toBe(ANSWER);
    expect(seen.stop_reason).toBe('end_turn');
    expect(seen.counted).toBe(seen.read);
  });

  test('runs tools with the AI SDK, and LangChain is answered', async ({ withClients }) => {
    const { text, plain } = await withClients.evaluate(
      async ([id, prompt, weather, question]) => {
        const { ai, aiMessages, langchainMessages, z } = window.clients;
        const get_weather = ai.tool({
          description: 'Get the weather of a city',
          inputSchema: z.object({ city: z.string() }),
          execute: () => weather,
        });
        const result = await ai.generateText({
          model: aiMessages(id),
          prompt,
          temperature: 0,
          maxRetries: 0,
          tools: { get_weather },
          stopWhen: ai.isStepCount(3),
        });
        const message = await langchainMessages(id).invoke(question);
        return { text: result.text, plain: message.text };
      },
      [TINY, WEATHER_QUESTION, WEATHER, QUESTION] as const,
    );
    expect(text).toBe(WEATHER_ANSWER);
    expect(plain).toBe(ANSWER);
  });
});

test('the tokens of a prompt are those that the model reads, and become text again', async ({
  ready,
}) => {
  const seen = await ready.evaluate(
    async ([model, prompt]) => {
      const { baseURL, apiKey } = window.v1;
      const post = async (path: string, body: object) => {
        const headers = { authorization: `Bearer ${apiKey}` };
        const init = { method: 'POST', headers, body: JSON.stringify({ model, ...body }) };
        const answer: { tokens: number[]; count: number; prompt: string } = await (
          await fetch(`${baseURL}/${path}`, init)
        ).json();
        return answer;
      };
      const { tokens, count } = await post('tokenize', { prompt });
      const { prompt: back } = await post('detokenize', { tokens });
      const { usage } = await window.client.completions.create({ model, prompt, max_tokens: 1 });
      const health: { status: string; models: string[] } = await (
        await fetch(`${baseURL}/health`)
      ).json();
      return { count, back, read: usage?.prompt_tokens, health };
    },
    [TINY, QUESTION] as const,
  );
  expect(seen.count).toBe(seen.read);
  expect(seen.back).toBe(QUESTION);
  expect(seen.health).toMatchObject({ status: 'ok', models: [TINY] });
});
