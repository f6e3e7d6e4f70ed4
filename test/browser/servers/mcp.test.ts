import type OpenAI from 'openai';
import type { Page } from 'playwright/test';
import { openExampleServer, openToolServer } from '../../support/servers/mcp-server.ts';
import { openStatelessServer } from '../../support/servers/stateless-server.ts';
import { expect, openStarted, test, TINY } from '../support/fixtures.ts';
import { serveTestSite } from '../support/site.ts';

type Response = OpenAI.Responses.Response;
type Request = OpenAI.Responses.ResponseCreateParamsNonStreaming;

const POLICY =
  "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'";

/** Asks the model of the page. */
function respond(page: Page, request: Omit<Request, 'model'>): Promise<Response> {
  return page.evaluate((body) => window.client.responses.create(body), {
    model: TINY,
    temperature: 0,
    ...request,
  });
}

function weather(server_url: string, more: object = {}) {
  return {
    type: 'mcp' as const,
    server_label: 'weather',
    server_url,
    allowed_tools: ['get_weather'],
    require_approval: 'never' as const,
    ...more,
  };
}

test('a model calls the tool of an MCP server, whose client is fetched only then', async ({
  fresh,
  closing,
}) => {
  const server = closing(await openToolServer());
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const clients: string[] = [];
  site.intercept = ({ url = '' }) => {
    if (url.includes('/mcp.js')) clients.push(url);
    return false;
  };
  const page = await openStarted(fresh, site.url, {
    model: TINY,
    mcp: { servers: [server.origin] },
  });
  const input = 'What is the weather in Paris?';
  await respond(page, { input: 'Hello!' });
  expect(clients).toEqual([]);
  expect(server.requests).toEqual([]);
  const response = await respond(page, { input, tools: [weather(server.url)] });
  expect(clients).toHaveLength(1);
  const written = response.output.filter(({ type }) => type !== 'reasoning');
  expect(written.map(({ type }) => type)).toEqual(['mcp_list_tools', 'mcp_call', 'message']);
  expect(server.calls).toEqual([{ name: 'get_weather', arguments: { city: 'Paris' } }]);
  expect(written[1]).toMatchObject({
    output: '{"temperature": 21, "condition": "sunny"}',
    error: null,
  });
  expect(response.output_text).toBe('The weather in Paris is sunny, 21 degrees.');
  const origins = server.requests.map(({ headers }) => headers.origin);
  expect(new Set(origins)).toEqual(new Set([new URL(site.url).origin]));
});

test('a call waits for its approval, and is made in the next turn', async ({
  fresh,
  site,
  closing,
}) => {
  const server = closing(await openToolServer());
  const mcp = { servers: [server.url] };
  const page = await openStarted(fresh, site.url, { model: TINY, mcp });
  const tools = [weather(server.url, { require_approval: 'always' })];
  const input = 'What is the weather in Paris?';
  const first = await respond(page, { input, tools });
  const request = first.output.at(-1);
  expect(request).toMatchObject({ type: 'mcp_approval_request', arguments: '{"city": "Paris"}' });
  expect(server.calls).toEqual([]);
  const second = await respond(page, {
    previous_response_id: first.id,
    tools,
    input: [
      {
        type: 'mcp_approval_response',
        approval_request_id: request?.id ?? '',
        approve: true,
      },
    ],
  });
  expect(server.calls).toHaveLength(1);
  expect(second.output_text).toBe('The weather in Paris is sunny, 21 degrees.');
});

test("the SDK's example server with CORS is called", async ({ fresh, site, closing }) => {
  const server = closing(await openExampleServer('honoWebStandardStreamableHttp'));
  const mcp = { servers: [server.url] };
  const page = await openStarted(fresh, site.url, { model: TINY, mcp });
  const response = await respond(page, {
    input: 'Greet Ann.',
    tools: [
      {
        type: 'mcp',
        server_label: 'example',
        server_url: server.url,
        require_approval: 'never',
      },
    ],
    tool_choice: { type: 'mcp', server_label: 'example', name: 'greet' },
    max_tool_calls: 1,
  });
  expect(response.output.find(({ type }) => type === 'mcp_call')).toMatchObject({
    output: expect.stringMatching(/^Hello, .*! \(from Hono/s),
  });
});

test('a server that speaks only the revision 2026-07-28 is called, if it allows its headers', async ({
  fresh,
  site,
  closing,
}) => {
  const server = closing(await openStatelessServer());
  const closed = closing(await openStatelessServer('content-type, mcp-protocol-version'));
  const mcp = { servers: [server.origin, closed.origin] };
  const page = await openStarted(fresh, site.url, { model: TINY, mcp });
  const input = 'What is the weather in Paris?';
  const { output_text } = await respond(page, { input, tools: [weather(server.url)] });
  expect(output_text).toBe('The weather in Paris is sunny, 21 degrees.');
  expect(await refused(page, closed.url)).toMatchObject({
    status: 424,
    message: expect.stringContaining('answers, but it does not allow by CORS'),
  });
});

test('a server that does not allow the site, or not all it needs, is an error that says so', async ({
  fresh,
  site,
  closing,
}) => {
  const silent = closing(await openToolServer({ cors: false }));
  // This server lets pages read its answers, but not send it JSON.
  const simple = closing(
    await openToolServer({
      cors: false,
      intercept: (_request, response) => {
        response.setHeader('access-control-allow-origin', '*');
        return false;
      },
    }),
  );
  const mcp = { servers: [silent.origin, simple.origin] };
  const page = await openStarted(fresh, site.url, { model: TINY, mcp });
  expect(await refused(page, silent.url)).toMatchObject({
    status: 424,
    param: 'tools[0].server_url',
    message: expect.stringContaining('it does not allow by CORS the origin of this site'),
  });
  expect(await refused(page, simple.url)).toMatchObject({
    status: 424,
    message: expect.stringContaining('answers, but it does not allow by CORS'),
  });
  expect([...silent.calls, ...simple.calls]).toEqual([]);
});

test('a policy of the site that blocks the server is named, and violated by nothing else', async ({
  fresh,
  closing,
}) => {
  const server = closing(await openToolServer());
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  let policy = POLICY;
  site.intercept = (_request, response) => {
    response.setHeader('content-security-policy', policy);
    return false;
  };
  const mcp = { servers: [server.origin] };
  const page = await openStarted(fresh, site.url, { model: TINY, mcp });
  expect(await refused(page, server.url)).toMatchObject({
    status: 424,
    message: expect.stringContaining(
      `The Content-Security-Policy of this site blocks ${server.origin}: its connect-src must allow it.`,
    ),
  });
  expect(server.requests).toEqual([]);
  await page.close();
  policy = POLICY.replace("connect-src 'self'", `connect-src 'self' ${server.origin}`);
  const violations: string[] = [];
  const allowed = await fresh.newPage();
  allowed.on('console', (message) => {
    const said = message.text();
    // The test page's own icon is blocked, too.
    if (said.includes('Content Security Policy') && !said.includes('data:,')) violations.push(said);
  });
  await allowed.goto(site.url);
  await allowed.waitForFunction(() => 'begin' in window);
  await allowed.evaluate((options) => window.begin(options), { model: TINY, mcp });
  const input = 'What is the weather in Paris?';
  const { output } = await respond(allowed, { input, tools: [weather(server.url)] });
  expect(output.find(({ type }) => type === 'mcp_call')).toMatchObject({ status: 'completed' });
  expect(violations).toEqual([]);
});

function refused(page: Page, server_url: string) {
  return page.evaluate(
    ([model, tool]) =>
      window.refusalOf(window.client.responses.create({ model, input: 'Hi', tools: [tool] })),
    [TINY, weather(server_url)] as const,
  );
}
