import { ChatAnthropic, type ChatAnthropicInput } from '@langchain/anthropic';
import { ContextOverflowError } from '@langchain/core/errors';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contextOverflow } from '../../../src/core/errors/errors.ts';
import { MODEL, openApi, ORIGIN } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';
import { forbidNetwork } from '../support/forbid-network.ts';
import { expectToolRound } from '../clients/langchain-weather.ts';
import { CALL } from './messages-clients.ts';
import { finish, text, toolArguments, toolCall } from '../support/test-engine.ts';

forbidNetwork();

async function setUp(fields: ChatAnthropicInput = {}) {
  const api = await openApi();
  const clientOptions = { fetch: browserFetch(api.app), baseURL: ORIGIN, maxRetries: 0 };
  const base = { model: MODEL, apiKey: api.key, maxRetries: 0, clientOptions };
  return { api, model: new ChatAnthropic({ ...base, ...fields }) };
}

describe('LangChain’s models of Anthropic', () => {
  test('are invoked, with usage', async () => {
    const { api, model } = await setUp({ maxTokens: 20 });
    const message = await model.invoke([new SystemMessage('Be brief.'), new HumanMessage('Hi')]);
    expect(message.text).toBe('Hello there');
    expect(message.usage_metadata).toMatchObject({ input_tokens: 7, output_tokens: 3 });
    expect(api.engine.last.job).toMatchObject({
      prompt: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] },
      maxTokens: 20,
    });
  });

  test('stream, with usage', async () => {
    const { api, model } = await setUp();
    const prompt = { promptTokens: 7, cachedTokens: 2 };
    api.engine.next({ type: 'start', prompt }, text('Hello'), text(' there'), finish());
    const chunks = await Array.fromAsync(await model.stream('Hi'));
    const whole = chunks.reduce((sum, chunk) => sum.concat(chunk));
    expect(whole.text).toBe('Hello there');
    expect(whole.usage_metadata).toMatchObject({ input_tokens: 7, output_tokens: 3 });
  });

  test('call a tool and get its result', async () => {
    const { api, model } = await setUp();
    api.engine.next(...CALL);
    await expectToolRound(model, api.engine);
  });

  test('give structured output', async () => {
    const { api, model } = await setUp();
    const call = [toolCall(0, 'extract'), toolArguments(0, '{"city":"Bern"}')];
    api.engine.next(...call, finish('tool_calls'));
    const schema = z.object({ city: z.string() });
    const structured = model.withStructuredOutput(schema, { name: 'extract' });
    expect(await structured.invoke('Hi')).toEqual({ city: 'Bern' });
  });

  test('throw their own error for a prompt that is too long', async () => {
    const { api, model } = await setUp();
    const overflow = { prompt: 9, context: 8 };
    api.engine.next(contextOverflow('8 tokens; the prompt has 9', overflow));
    await expect(model.invoke('Hi')).rejects.toBeInstanceOf(ContextOverflowError);
  });
});
