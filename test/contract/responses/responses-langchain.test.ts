import { ContextOverflowError } from '@langchain/core/errors';
import { ChatOpenAI } from '@langchain/openai';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contextOverflow } from '../../../src/core/errors/errors.ts';
import { openApi } from '../support/api.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { expectToolRound } from '../clients/langchain-weather.ts';
import { langchainFields } from '../support/other-clients.ts';
import { finish, text, toolArguments, toolCall } from '../support/test-engine.ts';

forbidNetwork();

async function setUp() {
  const api = await openApi();
  return { api, model: new ChatOpenAI({ ...langchainFields(api), useResponsesApi: true }) };
}

describe('LangChain, over the Responses API,', () => {
  test('invokes and streams a model, with usage', async () => {
    const { model } = await setUp();
    const message = await model.invoke('Hi');
    expect(message.text).toBe('Hello there');
    expect(message.usage_metadata).toMatchObject({ input_tokens: 7, output_tokens: 3 });
    const chunks = await Array.fromAsync(await model.stream('Hi'));
    expect(chunks.map((chunk) => chunk.text).join('')).toBe('Hello there');
    const { usage_metadata: usage } = chunks.findLast((chunk) => chunk.usage_metadata) ?? {};
    expect(usage).toMatchObject({ total_tokens: 10 });
  });

  test('calls a tool and sends its result', async () => {
    const { api, model } = await setUp();
    const call = [toolCall(0, 'get_weather'), toolArguments(0, '{"city":"Bern"}')];
    api.engine.next({ type: 'reasoning', text: 'Hm.' }, ...call, finish('tool_calls'));
    await expectToolRound(model, api.engine);
  });

  test('gets structured output', async () => {
    const { api, model } = await setUp();
    api.engine.next(text('{"city":"Bern"}'), finish());
    const schema = z.object({ city: z.string() });
    expect(await model.withStructuredOutput(schema).invoke('Hi')).toEqual({ city: 'Bern' });
  });

  test('gets its own error for a prompt that is too long', async () => {
    const { api, model } = await setUp();
    api.engine.next(contextOverflow('8 tokens; the prompt has 9'));
    await expect(model.invoke('Hi')).rejects.toBeInstanceOf(ContextOverflowError);
  });
});
