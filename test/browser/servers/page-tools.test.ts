import type OpenAI from 'openai';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';

/** A polyfill of what WebMCP offers to agents in the page. */
function installWebMcp(): void {
  interface Made {
    name: string;
    description: string;
    inputSchema?: object;
    execute: (input: object) => Promise<unknown>;
  }
  const tools = new Map<string, Made>();
  const modelContext = {
    registerTool: async (tool: Made) => void tools.set(tool.name, tool),
    getTools: async () =>
      [...tools.values()].map(({ name, description, inputSchema }) => ({
        name,
        description,
        ...(inputSchema && { inputSchema }),
      })),
    executeTool: async ({ name }: { name: string }, input: object) =>
      tools.get(name)?.execute(input),
  };
  Object.defineProperty(document, 'modelContext', { value: modelContext });
}

test('a chat uses the tools that the page has registered', async ({ fresh, site }) => {
  await fresh.addInitScript(installWebMcp);
  const page = await openStarted(fresh, site.url, { model: TINY });
  const seen = await page.evaluate(async (model) => {
    const context: { registerTool(tool: object): Promise<void> } = Reflect.get(
      document,
      'modelContext',
    );
    const asked: unknown[] = [];
    await context.registerTool({
      name: 'get_weather',
      description: 'Get the weather of a city',
      inputSchema: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
      execute: async (input: object) => {
        asked.push(input);
        return '{"temperature": 21, "condition": "sunny"}';
      },
    });
    const { tools, run } = await window.v1.pageTools();
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'What is the weather in Paris?' },
    ];
    const ask = () =>
      window.client.chat.completions.create({ model, messages, tools, temperature: 0 });
    const message = (await ask()).choices[0]?.message;
    if (!message) throw new Error('There is no answer.');
    messages.push(message);
    for (const call of message.tool_calls ?? []) {
      if (call.type === 'function') messages.push(await run(call));
    }
    const last = await ask();
    return { asked, text: last.choices[0]?.message.content };
  }, TINY);
  expect(seen).toEqual({
    asked: [{ city: 'Paris' }],
    text: 'The weather in Paris is sunny, 21 degrees.',
  });
});

test('without WebMCP, a page has no tools', async ({ fresh, site }) => {
  const page = await openStarted(fresh, site.url, {});
  const tools = await page.evaluate(async () => (await window.v1.pageTools()).tools);
  expect(tools).toEqual([]);
});
