import type OpenAI from 'openai';
import { expect, test, vi } from 'vitest';
import { freePort } from '../../support/servers/free-port.ts';
import { openToolServer, type ToolServerOptions } from '../../support/servers/mcp-server.ts';
import { EngineLost, serverError } from '../../../src/core/errors/errors.ts';
import { MODEL } from '../support/api.ts';
import { calling, listing, messagesOf, serving } from './mcp-api.ts';
import { errorOf, eventsOf, json } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';

type Response = OpenAI.Responses.Response;
type Intercept = NonNullable<ToolServerOptions['intercept']>;

const SAYING = [text('Sunny.'), finish()];

test('a server that cannot be reached is an error that says so, and the model is not asked', async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const { api, ask } = await listing([origin]);
  const tools = [{ type: 'mcp', server_label: 'gone', server_url: `${origin}/mcp` }];
  expect(await errorOf(await ask({ tools }))).toMatchObject({
    status: 424,
    code: 'http_error',
    param: 'tools[0].server_url',
    message: expect.stringMatching(
      `^The server 'gone' did not list its tools: ${origin} gave no answer .* it cannot be reached, it redirects`,
    ),
  });
  const events = await eventsOf(await ask({ tools, stream: true }));
  expect(events.map(({ type }) => type)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.mcp_list_tools.in_progress',
    'response.mcp_list_tools.failed',
    'response.output_item.done',
    'error',
  ]);
  expect(events[5]).toMatchObject({ item: { tools: [], error: { type: 'http_error' } } });
  expect(api.engine.runs).toEqual([]);
});

test.each([
  [401, 401],
  [403, 403],
  [500, 500],
  [404, 404],
])('a server that answers %i is an error that names the status', async (status, code) => {
  const intercept: Intercept = (_request, response) => {
    response.writeHead(status).end();
    return true;
  };
  const { ask, tool } = await serving({ intercept });
  const events = await eventsOf(await ask({ tools: [tool], stream: true }));
  expect(events[5]).toMatchObject({ item: { error: { type: 'http_error', code } } });
});

test('a server that is no MCP server is an error', async () => {
  const intercept: Intercept = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    return true;
  };
  const { ask, tool } = await serving({ intercept });
  expect(await errorOf(await ask({ tools: [tool] }))).toMatchObject({
    status: 424,
    message: expect.stringContaining('text/html'),
  });
});

test('a redirect is not followed, to any server', async () => {
  const other = await openToolServer();
  const intercept: Intercept = (_request, response) => {
    response.writeHead(307, { location: other.url }).end();
    return true;
  };
  const { ask, tool } = await serving({ intercept });
  expect(await errorOf(await ask({ tools: [tool] }))).toMatchObject({
    status: 424,
    message: expect.stringContaining('it redirects'),
  });
  expect(other.requests).toEqual([]);
  await other.close();
});

test('a tool that does not answer in time has failed, and the model goes on', async () => {
  const { api, ask, tool } = await serving({
    tools: (server) =>
      void server.registerTool('wait', {}, () => new Promise<never>(() => undefined)),
  });
  api.engine.servers.wait({ listMs: 30_000, callMs: 50 });
  api.engine.next(...calling('wait', {}));
  api.engine.next(...SAYING);
  const { output } = await json<Response>(await ask({ tools: [tool] }));
  expect(output[1]).toMatchObject({
    status: 'failed',
    error: { type: 'http_error', code: 408, message: 'The server did not answer in time.' },
  });
  expect(messagesOf({ api }).at(-1)?.content).toBe(
    'The call failed. The server did not answer in time.',
  );
});

test('a client that leaves cancels the call', async () => {
  const called = Promise.withResolvers<AbortSignal>();
  const { api, client, tool } = await serving({
    tools: (server) =>
      void server.registerTool('wait', {}, (extra) => {
        called.resolve(extra.signal);
        return new Promise<never>(() => undefined);
      }),
  });
  api.engine.next(...calling('wait', {}));
  const leaving = new AbortController();
  const stream = await client.responses.create(
    { model: MODEL, input: 'Hi', tools: [tool], stream: true },
    { signal: leaving.signal },
  );
  const read = (async () => {
    for await (const { type } of stream) void type;
  })();
  const cancelled = await called.promise;
  leaving.abort();
  await read.catch(() => undefined);
  await vi.waitUntil(() => cancelled.aborted);
  expect(api.engine.runs).toHaveLength(1);
});

test('an engine that ends during a call does not make it twice', async () => {
  const { api, ask, tool } = await serving();
  const runs = api.engine.operations;
  const { mcp } = runs;
  runs.mcp = async function* lost(job, signal) {
    for await (const event of mcp(job, signal)) {
      if (event.tools) yield event;
      else break;
    }
    if (!job.call) return;
    const { data } = serverError('engine_error', 'The tab has ended.');
    throw new EngineLost(data, { broke: false });
  };
  api.engine.next(...calling('get_weather', { city: 'Oslo' }));
  api.engine.next(...SAYING);
  const { output } = await json<Response>(await ask({ tools: [tool] }));
  expect(output[1]).toMatchObject({
    status: 'failed',
    error: { message: expect.stringContaining('Whether the tool has run is not known.') },
  });
  expect(api.engine.servers.asked).toHaveLength(2);
});

test('two servers, one of which fails, make the answer fail', async () => {
  const { ask, tool, api } = await serving();
  const origin = `http://127.0.0.1:${await freePort()}`;
  const both = await listing([new URL(tool.server_url).origin, origin]);
  const gone = { ...tool, server_label: 'gone', server_url: origin };
  const events = await eventsOf(await both.ask({ tools: [tool, gone], stream: true }));
  expect(events.map(({ type }) => type)).toContain('response.mcp_list_tools.completed');
  expect(events.at(-1)).toMatchObject({ type: 'error', param: 'tools[1].server_url' });
  expect(await errorOf(await ask({ tools: [gone] }))).toMatchObject({ code: 'unsupported_value' });
  expect(api.engine.runs).toEqual([]);
});

test.each([
  [{ type: 'mcp', server_label: 'weather', name: 'no' }, 'tool_choice.name'],
  [{ type: 'mcp', server_label: 'no' }, 'tool_choice.server_label'],
  [
    { type: 'allowed_tools', tools: [{ type: 'mcp', server_label: 'weather', name: 'no' }] },
    'tool_choice.tools[0].name',
  ],
])('a choice of a tool that is not there is refused: %j', async (tool_choice, param) => {
  const { api, ask, tool } = await serving();
  expect(await errorOf(await ask({ tools: [tool], tool_choice }))).toMatchObject({
    status: 400,
    param,
  });
  expect(api.engine.runs).toEqual([]);
});

test('more tools than a model is offered are refused', async () => {
  const { ask, tool } = await serving({
    tools: (server) => {
      for (let number = 0; number < 129; number++) {
        server.registerTool(`tool${number}`, {}, () => ({ content: [] }));
      }
    },
  });
  expect(await errorOf(await ask({ tools: [tool] }))).toMatchObject({
    status: 400,
    param: 'tools',
    message: "'tools' must hold at most 128 tools.",
  });
  expect((await ask({ tools: [{ ...tool, allowed_tools: ['tool7'] }] })).status).toBe(200);
});
