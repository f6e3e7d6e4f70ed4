import { afterEach, expect, test, vi } from 'vitest';
import { pageTools } from '../../../../src/page/api/page-tools.ts';

const SCHEMA = { type: 'object', properties: { item: { type: 'string' } } };
const call = (name: string, args: string) => ({ id: 'c', function: { name, arguments: args } });

afterEach(() => vi.unstubAllGlobals());

/** A page whose WebMCP has these tools. */
function withTools(
  tools: object[],
  executeTool: (...given: unknown[]) => unknown,
  at = 'document',
) {
  const context = {
    getTools: async () => tools,
    executeTool: async (...given: unknown[]) => executeTool(...given),
  };
  vi.stubGlobal('document', at === 'document' ? { modelContext: context } : {});
  vi.stubGlobal('navigator', at === 'navigator' ? { modelContext: context } : {});
}

test.each(['document', 'navigator'])('the tools of %s become those of a chat', async (at) => {
  const add = { name: 'cart.add', description: 'Adds.', inputSchema: SCHEMA };
  const clear = { name: 'clear', description: 'Clears.' };
  const executeTool = vi.fn(() => ({ ok: true }));
  withTools([add, clear], executeTool, at);
  const { tools, run } = await pageTools();
  expect(tools).toEqual([
    { type: 'function', function: { name: 'cart_add', description: 'Adds.', parameters: SCHEMA } },
    {
      type: 'function',
      function: {
        name: 'clear',
        description: 'Clears.',
        parameters: { type: 'object', properties: {} },
      },
    },
  ]);
  expect(await run(call('cart_add', '{"item":"lamp"}'))).toEqual({
    role: 'tool',
    tool_call_id: 'c',
    content: '{"ok":true}',
  });
  expect(executeTool).toHaveBeenCalledWith(add, { item: 'lamp' }, undefined);
});

test('a browser whose schemas are JSON gets JSON', async () => {
  const add = { name: 'add', description: 'Adds.', inputSchema: JSON.stringify(SCHEMA) };
  const executeTool = vi.fn(() => 'Added.');
  withTools([add], executeTool);
  const { tools, run } = await pageTools();
  expect(tools[0]?.function.parameters).toEqual(SCHEMA);
  expect(await run(call('add', '{"item":"lamp"}'))).toMatchObject({ content: 'Added.' });
  expect(executeTool).toHaveBeenCalledWith(add, '{"item":"lamp"}', undefined);
});

test('a tool that fails says why; one that is not there, and bad arguments, are errors', async () => {
  withTools([{ name: 'add', description: 'Adds.' }], () => {
    throw new Error('The cart is full.');
  });
  const { run } = await pageTools();
  expect(await run(call('add', ''))).toMatchObject({
    content: 'The tool failed: The cart is full.',
  });
  await expect(run(call('sub', '{}'))).rejects.toThrow("The page has no tool 'sub'.");
  await expect(run(call('add', '[]'))).rejects.toThrow('not the JSON of an object');
  await expect(run(call('add', '{'))).rejects.toThrow('not the JSON of an object');
});

test('a call that is cancelled rejects', async () => {
  withTools([{ name: 'add', description: 'Adds.' }], () => {
    throw new Error('Cancelled.');
  });
  const { run } = await pageTools();
  const signal = AbortSignal.abort(new Error('Left.'));
  await expect(run(call('add', '{}'), { signal })).rejects.toThrow('Left.');
});

test('without WebMCP there are no tools', async () => {
  vi.stubGlobal('document', {});
  vi.stubGlobal('navigator', {});
  expect((await pageTools()).tools).toEqual([]);
});
