import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { openExampleServer } from '../../support/servers/mcp-server.ts';
import { MODEL } from '../support/api.ts';
import { calling, listing, messagesOf, serving } from './mcp-api.ts';
import { errorOf, eventsOf, json } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';

type Response = OpenAI.Responses.Response;

const SAYING = [text('Sunny.'), finish()];

describe('a tool of the type mcp', () => {
  test('lists the tools of its server, calls what the model calls, and lets the model answer', async () => {
    const { api, client, server, tool } = await serving();
    api.engine.next(...calling('get_weather', { city: 'Oslo' }));
    api.engine.next(...SAYING);
    const response = await client.responses.create({ model: MODEL, input: 'Oslo?', tools: [tool] });
    expect(response.output_text).toBe('Sunny.');
    const [list, call, message] = response.output;
    expect(list).toMatchObject({
      id: expect.stringMatching(/^mcpl_/),
      type: 'mcp_list_tools',
      server_label: 'weather',
      tools: [
        {
          name: 'get_weather',
          description: 'Get the weather of a city',
          input_schema: { type: 'object', properties: { city: { type: 'string' } } },
          annotations: { readOnlyHint: true },
        },
        { name: 'send_mail' },
        { name: 'fail' },
      ],
    });
    expect(JSON.stringify(list)).not.toContain('null');
    expect(call).toEqual({
      id: expect.stringMatching(/^mcp_/),
      type: 'mcp_call',
      status: 'completed',
      server_label: 'weather',
      name: 'get_weather',
      arguments: '{"city":"Oslo"}',
      output: '{"temperature": 21, "condition": "sunny"}',
      error: null,
      approval_request_id: null,
    });
    expect(message).toMatchObject({ type: 'message' });
    expect(server.calls).toEqual([{ name: 'get_weather', arguments: { city: 'Oslo' } }]);
    expect(messagesOf({ api }).slice(-2)).toMatchObject([
      { role: 'assistant', toolCalls: [{ name: 'get_weather', arguments: '{"city":"Oslo"}' }] },
      { role: 'tool', name: 'get_weather', content: '{"temperature": 21, "condition": "sunny"}' },
    ]);
    expect(api.engine.runs[0]?.job.tools?.tools.map(({ name }) => name)).toEqual([
      'get_weather',
      'send_mail',
      'fail',
    ]);
    expect(response.usage).toMatchObject({ output_tokens: 6 });
  });

  test('streams its events in order', async () => {
    const { api, ask, tool } = await serving();
    api.engine.next(...calling('get_weather', { city: 'Oslo' }));
    api.engine.next(...SAYING);
    const events = await eventsOf(await ask({ tools: [tool], stream: true }));
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.mcp_list_tools.in_progress',
      'response.mcp_list_tools.completed',
      'response.output_item.done',
      'response.output_item.added',
      'response.mcp_call.in_progress',
      'response.mcp_call_arguments.delta',
      'response.mcp_call_arguments.done',
      'response.mcp_call.completed',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events.map((event) => event['sequence_number'])).toEqual([...events.keys()]);
    expect(events[2]).toMatchObject({ output_index: 0, item: { tools: [] } });
    expect(events[6]).toMatchObject({
      output_index: 1,
      item: { type: 'mcp_call', arguments: '', status: 'in_progress', output: null },
    });
    expect(events[8]).toMatchObject({ output_index: 1, delta: '{"city":"Oslo"}' });
    expect(events[9]).toMatchObject({ arguments: '{"city":"Oslo"}' });
  });

  test('is told that a tool has failed, and so is the model', async () => {
    const { api, ask, tool } = await serving();
    api.engine.next(...calling('fail', {}));
    api.engine.next(...SAYING);
    const events = await eventsOf(await ask({ tools: [tool], stream: true }));
    expect(events.map(({ type }) => type)).toContain('response.mcp_call.failed');
    const { response } = { response: { output: [] }, ...events.at(-1) } as {
      response: Pick<Response, 'output'>;
    };
    const [, call] = response.output;
    const content = [{ type: 'text', text: 'The disk is full.' }];
    expect(call).toMatchObject({
      status: 'failed',
      output: null,
      error: { type: 'mcp_tool_execution_error', content },
    });
    expect(messagesOf({ api }).at(-1)?.content).toBe('The call failed. The disk is full.');
  });

  test('offers functions beside it, and names that are taken are made unique', async () => {
    const { api, ask, tool } = await serving();
    const own = { type: 'function', name: 'get_weather', parameters: { type: 'object' } };
    const twin = { ...tool, server_label: 'twin' };
    api.engine.next(...calling('twin_get_weather', { city: 'Rome' }));
    api.engine.next(...SAYING);
    const { output } = await json<Response>(await ask({ tools: [own, tool, twin] }));
    const offered = api.engine.runs[0]?.job.tools?.tools.map(({ name }) => name);
    expect(offered).toEqual([
      'get_weather',
      'weather_get_weather',
      'weather_send_mail',
      'weather_fail',
      'twin_get_weather',
      'twin_send_mail',
      'twin_fail',
    ]);
    expect(output[2]).toMatchObject({ server_label: 'twin', name: 'get_weather' });
    expect(output.map(({ type }) => type)).toEqual([
      'mcp_list_tools',
      'mcp_list_tools',
      'mcp_call',
      'message',
    ]);
  });

  test('leaves calls of functions to the client', async () => {
    const { api, ask, tool } = await serving();
    const own = { type: 'function', name: 'now', parameters: { type: 'object' } };
    api.engine.next(...calling('now', {}));
    const { output } = await json<Response>(await ask({ tools: [own, tool] }));
    expect(output.map(({ type }) => type)).toEqual(['mcp_list_tools', 'function_call']);
  });

  test.each([
    [['send_mail'], ['send_mail']],
    [{ tool_names: ['send_mail', 'get_weather'], read_only: true }, ['get_weather']],
    [{ read_only: false }, ['send_mail', 'fail']],
    [[], undefined],
  ])('allows %j', async (allowed_tools, names) => {
    const { api, ask, tool } = await serving();
    await ask({ tools: [{ ...tool, allowed_tools }] });
    expect(api.engine.last.job.tools?.tools.map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['none', { choice: 'none' }],
    ['required', { choice: 'required' }],
    [
      { type: 'mcp', server_label: 'weather', name: 'fail' },
      { choice: 'required', allowed: ['fail'] },
    ],
    [
      { type: 'mcp', server_label: 'weather' },
      { choice: 'required', allowed: ['get_weather', 'send_mail', 'fail'] },
    ],
    [
      {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'mcp', server_label: 'weather', name: 'fail' }],
      },
      { choice: 'auto', allowed: ['fail'] },
    ],
  ])('honours the tool_choice %j', async (tool_choice, expected) => {
    const { api, ask, tool } = await serving();
    expect((await ask({ tools: [tool], tool_choice })).status).toBe(200);
    expect(api.engine.last.job.tools).toMatchObject({ ...expected, parallel: false });
  });

  test('stops calling after max_tool_calls', async () => {
    const { api, ask, server, tool } = await serving();
    api.engine.stepsOf = ({ tools }) => (tools ? calling('get_weather', { city: 'Oslo' }) : SAYING);
    const { output } = await json<Response>(await ask({ tools: [tool], max_tool_calls: 2 }));
    expect(server.calls).toHaveLength(2);
    expect(output.at(-1)).toMatchObject({ type: 'message' });
    await ask({ tools: [tool] });
    expect(server.calls).toHaveLength(18);
  });

  test('counts the tokens of the tools', async () => {
    const { api, post, tool } = await serving();
    const body = { model: MODEL, input: 'Oslo?', tools: [tool] };
    expect((await post('/responses/input_tokens', body)).status).toBe(200);
    expect(api.engine.counts[0]?.job.tools?.tools).toHaveLength(3);
  });

  test('cuts a long output, with a mark', async () => {
    const tools: NonNullable<Parameters<typeof serving>[0]>['tools'] = (server) =>
      void server.registerTool('long', {}, () => ({
        content: [{ type: 'text', text: 'é'.repeat(100_000) }],
      }));
    const { api, ask, tool } = await serving({ tools });
    api.engine.next(...calling('long', {}));
    api.engine.next(...SAYING);
    const { output } = await json<Response>(await ask({ tools: [tool] }));
    const [, call] = output;
    const result = call?.type === 'mcp_call' ? (call.output ?? '') : '';
    // A quarter of 2,048 tokens of three bytes.
    expect(result).toMatch(/^é{768}\n\[Cut here: it has 100000 characters\.\]$/);
    expect(messagesOf({ api }).at(-1)?.content).toBe(result);
  });

  test('opens another session if its server has forgotten the first', async () => {
    const { api, ask, server, tool } = await serving();
    await ask({ tools: [tool] });
    server.forget();
    api.engine.next(...calling('get_weather', { city: 'Oslo' }));
    api.engine.next(...SAYING);
    const { output } = await json<Response>(await ask({ tools: [tool] }));
    expect(output[1]).toMatchObject({ type: 'mcp_call', status: 'completed' });
    expect(server.calls).toHaveLength(1);
  });
});

describe("the SDK's example server", () => {
  test.each(['simpleStreamableHttp', 'honoWebStandardStreamableHttp'])('%s', async (name) => {
    const server = await openExampleServer(name);
    try {
      const { api, client } = await listing([new URL(server.url).origin]);
      api.engine.next(...calling('greet', { name: 'Ann' }));
      api.engine.next(...SAYING);
      const response = await client.responses.create({
        model: MODEL,
        input: 'Greet Ann.',
        tools: [
          {
            type: 'mcp',
            server_label: 'example',
            server_url: server.url,
            require_approval: 'never',
            allowed_tools: ['greet'],
          },
        ],
      });
      expect(response.output[1]).toMatchObject({
        type: 'mcp_call',
        output: expect.stringMatching(/^Hello, Ann!/),
      });
    } finally {
      await server.close();
    }
  });
});

test('a wrong kind of arguments is told to the model', async () => {
  const { api, ask, server, tool } = await serving();
  api.engine.next(...calling('get_weather', { city: 7 }));
  api.engine.next(...SAYING);
  const { output } = await json<Response>(await ask({ tools: [tool] }));
  expect(output[1]).toMatchObject({ type: 'mcp_call', status: 'failed' });
  expect(messagesOf({ api }).at(-1)?.content).toMatch(/^The call failed\. .*city/s);
  expect(server.calls).toHaveLength(1);
  expect(await errorOf(await ask({ tools: [{ ...tool, server_label: 7 }] }))).toMatchObject({
    param: 'tools[0].server_label',
  });
});
