import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { expect } from 'vitest';
import * as z from 'zod';
import type { TestEngine } from '../support/test-engine.ts';

const get_weather = tool(({ city }) => `sunny in ${city}`, {
  name: 'get_weather',
  schema: z.object({ city: z.string() }),
});

/** Asks for the weather, and sends the tool's result. The engine's next answer thinks `Hm.` and calls. */
export async function expectToolRound(model: BaseChatModel, engine: TestEngine): Promise<void> {
  const withTools = model.bindTools?.([get_weather]);
  if (!withTools) throw new Error('The model takes no tools.');
  const question = new HumanMessage('Weather?');
  const asked = await withTools.invoke([question]);
  expect(asked.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Bern' } }]);
  const [{ id = '' } = {}] = asked.tool_calls ?? [];
  const result = new ToolMessage({ tool_call_id: id, content: 'sunny' });
  await withTools.invoke([question, asked, result]);
  expect(engine.last.job.prompt).toMatchObject({
    messages: [
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', reasoning: 'Hm.', toolCalls: [{ name: 'get_weather' }] },
      { role: 'tool', content: 'sunny' },
    ],
  });
}
