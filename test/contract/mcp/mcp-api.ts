import { onTestFinished } from 'vitest';
import { openToolServer, type ToolServerOptions } from '../../support/servers/mcp-server.ts';
import { MODEL, openApi } from '../support/api.ts';
import { limited } from '../support/limited-key.ts';
import { finish, toolArguments, toolCall, type Step } from '../support/test-engine.ts';

/** The steps of a model that calls a function. */
export function calling(name: string, args: object | string): Step[] {
  const json = typeof args === 'string' ? args : JSON.stringify(args);
  return [toolCall(0, name), toolArguments(0, json), finish('tool_calls')];
}

/** The API of a site that lists these servers. */
export async function listing(servers: string[]) {
  const api = await openApi();
  onTestFinished(() => api.engine.servers.close());
  const { key, headers } = await limited(api, { mcp: servers });
  const client = api.client({ apiKey: key, maxRetries: 0 });
  const post = (path: string, body: object) =>
    api.post(path, body, { headers: { ...headers, 'content-type': 'application/json' } });
  const ask = (more: object = {}) =>
    post('/responses', { model: MODEL, input: 'How is the weather in Oslo?', ...more });
  return { api, key, client, post, ask };
}

/** A server with tools, and the API of a site that lists it. */
export async function serving(options?: ToolServerOptions) {
  const server = await openToolServer(options);
  onTestFinished(() => server.close());
  const given = await listing([server.origin]);
  const tool = {
    type: 'mcp' as const,
    server_label: 'weather',
    server_url: server.url,
    require_approval: 'never' as const,
  };
  return { ...given, server, tool };
}

export type Serving = Awaited<ReturnType<typeof serving>>;

/** The messages that the model has read at its last turn. */
export function messagesOf({ api }: Pick<Serving, 'api'>) {
  const { prompt } = api.engine.last.job;
  return prompt.kind === 'chat' ? prompt.messages : [];
}
