import type OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { openStatelessServer } from '../../support/servers/stateless-server.ts';
import { calling, listing } from './mcp-api.ts';
import { json } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';

type Response = OpenAI.Responses.Response;

test('a server that speaks only the revision 2026-07-28 is called, without another handshake', async () => {
  const server = await openStatelessServer();
  onTestFinished(() => server.close());
  const { api, ask } = await listing([server.origin]);
  const tool = { type: 'mcp', server_label: 'weather', server_url: server.url };
  const tools = [{ ...tool, require_approval: 'never' }];
  for (const city of ['Oslo', 'Rome']) {
    api.engine.next(...calling('get_weather', { city }));
    api.engine.next(text('Sunny.'), finish());
    const { output } = await json<Response>(await ask({ tools }));
    expect(output).toMatchObject([
      { type: 'mcp_list_tools', tools: [{ name: 'get_weather' }] },
      { type: 'mcp_call', output: '{"temperature": 21, "condition": "sunny"}' },
      { type: 'message' },
    ]);
  }
  const asked = ['tools/list', 'tools/call'];
  expect(server.methods).toEqual(['initialize', 'server/discover', ...asked, ...asked]);
});
