import { describe, expect, test } from 'vitest';
import { MODEL, openApi } from '../support/api.ts';
import { listing } from './mcp-api.ts';
import { errorOf } from '../support/read.ts';

const SITE = 'https://mcp.example';
const TOOL = { type: 'mcp', server_label: 'docs', server_url: `${SITE}/mcp` };
const HI = { role: 'user', content: 'Hi' };
const NAMED = { id: 'a', server_label: 'docs', name: 'ask', arguments: '{}' };

async function refusal(body: object) {
  const { api, ask } = await listing([SITE]);
  const error = await errorOf(await ask(body));
  expect(api.engine.runs).toEqual([]);
  expect(api.engine.servers.asked).toEqual([]);
  return error;
}

const tool = (more: object) => ({ tools: [{ ...TOOL, ...more }] });
const item = (more: object) => ({ tools: [TOOL], input: [HI, more] });

const FAULTS: [object, string][] = [
  [tool({ server_label: undefined }), 'tools[0].server_label'],
  [tool({ server_label: '' }), 'tools[0].server_label'],
  [tool({ server_label: '1a' }), 'tools[0].server_label'],
  [{ tools: [TOOL, TOOL] }, 'tools[1].server_label'],
  [tool({ server_url: undefined }), 'tools[0].server_url'],
  [tool({ server_url: 7 }), 'tools[0].server_url'],
  [tool({ server_url: '/mcp' }), 'tools[0].server_url'],
  [tool({ server_url: 'ftp://mcp.example/mcp' }), 'tools[0].server_url'],
  [tool({ server_url: 'https://me:secret@mcp.example/mcp' }), 'tools[0].server_url'],
  [tool({ server_description: 7 }), 'tools[0].server_description'],
  [tool({ allowed_tools: 'ask' }), 'tools[0].allowed_tools'],
  [tool({ allowed_tools: [7] }), 'tools[0].allowed_tools[0]'],
  [tool({ allowed_tools: { names: ['ask'] } }), 'tools[0].allowed_tools.names'],
  [tool({ require_approval: 'sometimes' }), 'tools[0].require_approval'],
  [tool({ require_approval: { never: { names: [] } } }), 'tools[0].require_approval.never.names'],
  [tool({ require_approval: { ever: {} } }), 'tools[0].require_approval.ever'],
  [tool({ authorization: 7 }), 'tools[0].authorization'],
  [tool({ authorization: '' }), 'tools[0].authorization'],
  [tool({ authorization: 'a\nb' }), 'tools[0].authorization'],
  [tool({ headers: [] }), 'tools[0].headers'],
  [tool({ headers: { a: 1 } }), 'tools[0].headers'],
  [tool({ headers: { 'a b': 'c' } }), 'tools[0].headers'],
  [tool({ headers: { Authorization: 'a' }, authorization: 'b' }), 'tools[0].authorization'],
  [{ tools: [TOOL], tool_choice: { type: 'mcp' } }, 'tool_choice.server_label'],
  [{ tools: [TOOL], tool_choice: { type: 'mcp', server_label: 7 } }, 'tool_choice.server_label'],
  [{ tool_choice: { type: 'mcp', server_label: 'docs' } }, 'tool_choice.server_label'],
  [item({ type: 'mcp_call', ...NAMED, server_label: undefined }), 'input[1].server_label'],
  [item({ type: 'mcp_call', ...NAMED, name: undefined }), 'input[1].name'],
  [item({ type: 'mcp_call', ...NAMED, arguments: undefined }), 'input[1].arguments'],
  [item({ type: 'mcp_call', ...NAMED, arguments: '[]' }), 'input[1].arguments'],
  [item({ type: 'mcp_list_tools', server_label: 'docs' }), 'input[1].tools'],
  [item({ type: 'mcp_list_tools', tools: [] }), 'input[1].server_label'],
  [item({ type: 'mcp_list_tools', server_label: 'docs', tools: [{}] }), 'input[1].tools[0].name'],
  [item({ type: 'mcp_approval_request', ...NAMED, id: undefined }), 'input[1].id'],
  [item({ type: 'mcp_approval_response', approve: true }), 'input[1].approval_request_id'],
  [item({ type: 'mcp_approval_response', approval_request_id: 'a' }), 'input[1].approve'],
  [
    item({ type: 'mcp_approval_response', approval_request_id: 'a', approve: 'yes' }),
    'input[1].approve',
  ],
];

const LACKS: [object, string][] = [
  [tool({ server_url: undefined, connector_id: 'connector_gmail' }), 'tools[0].connector_id'],
  [tool({ tunnel_id: 't' }), 'tools[0].tunnel_id'],
  [tool({ defer_loading: true }), 'tools[0].defer_loading'],
  [tool({ allowed_callers: ['programmatic'] }), 'tools[0].allowed_callers'],
  [tool({ server_url: 'https://other.example/mcp' }), 'tools[0].server_url'],
  [tool({ server_url: 'http://mcp.example/mcp' }), 'tools[0].server_url'],
  [tool({ server_url: 'https://mcp.example:8443/mcp' }), 'tools[0].server_url'],
  [tool({ server_url: 'https://mcp.example.evil.test/mcp' }), 'tools[0].server_url'],
];

describe('a request', () => {
  test.each(FAULTS)('%j is refused', async (body, param) => {
    const error = await refusal(body);
    expect(error).toMatchObject({ status: 400, code: null, param });
    expect(error.message).toContain(`'${param}'`);
    expect(error.message).not.toContain('secret');
  });

  test.each(LACKS)('%j asks for what is not supported', async (body, param) => {
    expect(await refusal(body)).toMatchObject({ status: 400, code: 'unsupported_value', param });
  });

  test('is refused if the site lists no servers', async () => {
    const api = await openApi();
    const body = { model: MODEL, input: 'Hi', tools: [TOOL] };
    expect(await errorOf(await api.post('/responses', body))).toMatchObject({
      status: 400,
      code: 'unsupported_value',
      param: 'tools[0].type',
      message: expect.stringContaining('start({ mcp: { servers: [URL] } })'),
    });
  });

  test.each([
    ['https://mcp.example/a', false],
    ['https://mcp.example/a/b', true],
    ['https://mcp.example/a/b/c', true],
    ['https://mcp.example/a/bc', false],
    ['https://mcp.example/a/b/../c', false],
  ])('may name %s if the site lists https://mcp.example/a/b: %j', async (server_url, isListed) => {
    const { api, ask } = await listing(['https://mcp.example/a/b']);
    const response = ask({ tools: [{ ...TOOL, server_url }] });
    if (!isListed) {
      expect(await errorOf(await response)).toMatchObject({ param: 'tools[0].server_url' });
      expect(api.engine.servers.asked).toEqual([]);
      return;
    }
    await response;
    expect(api.engine.servers.asked).toMatchObject([{ server: { url: server_url } }]);
  });
});
