import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { freePort } from './free-port.ts';

/** A request as a server of MCP has seen it. */
export interface SeenRequest {
  method: string;
  headers: IncomingHttpHeaders;
  body: { method?: string; params?: { name?: string; arguments?: unknown } } | undefined;
}

export interface ToolServer {
  url: string;
  origin: string;
  requests: SeenRequest[];
  /** Names of the called tools and their arguments. */
  readonly calls: { name: string | undefined; arguments: unknown }[];
  /** Forgets all sessions, as after a restart. */
  forget(): void;
  close(): Promise<void>;
}

export interface ToolServerOptions {
  /** Adds the tools. Default: `weatherTools`. */
  tools?: (server: McpServer) => void;
  /** Whether pages of all origins may use it. Default: yes. */
  cors?: boolean;
  /** Answers a request itself. @returns whether it did */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Tools that tiny-chat knows, and one that fails. */
export function weatherTools(server: McpServer): void {
  const content = (text: string) => ({ content: [{ type: 'text' as const, text }] });
  server.registerTool(
    'get_weather',
    {
      description: 'Get the weather of a city',
      inputSchema: { city: z.string() },
      annotations: { readOnlyHint: true },
    },
    () => content('{"temperature": 21, "condition": "sunny"}'),
  );
  server.registerTool(
    'send_mail',
    { description: 'Sends a mail.', inputSchema: { to: z.string() } },
    ({ to }) => content(`Sent to ${to}.`),
  );
  server.registerTool('fail', { description: 'Fails.' }, () => {
    throw new Error('The disk is full.');
  });
}

/** A server with tools, made of the official SDK, over streamable HTTP with sessions. */
export async function openToolServer({
  tools = weatherTools,
  cors = true,
  intercept = () => false,
}: ToolServerOptions = {}): Promise<ToolServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const requests: SeenRequest[] = [];
  const opened = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    const server = new McpServer({ name: 'weather', version: '1.0.0' });
    tools(server);
    await server.connect(transport);
    return transport;
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request);
    requests.push({ method: request.method ?? '', headers: request.headers, body });
    if (cors) allowPages(response);
    if (request.method === 'OPTIONS') return void response.writeHead(cors ? 204 : 404).end();
    if (intercept(request, response)) return;
    if (request.method === 'HEAD') return void response.writeHead(405).end();
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (!known && !isInitializeRequest(body)) return void response.writeHead(404).end();
    await (known ?? (await opened())).handleRequest(request, response, body);
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    requests,
    get calls() {
      return requests.flatMap(({ body }) =>
        body?.method === 'tools/call'
          ? { name: body.params?.name, arguments: body.params?.arguments }
          : [],
      );
    },
    forget: () => sessions.clear(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function allowPages(response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'POST, DELETE');
  response.setHeader(
    'access-control-allow-headers',
    'authorization, content-type, mcp-session-id, mcp-protocol-version, x-team',
  );
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
}

async function bodyOf(request: IncomingMessage): Promise<SeenRequest['body']> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const body: SeenRequest['body'] = text === '' ? undefined : JSON.parse(text);
  return body;
}

/** An example server of the official SDK, in a process of its own. */
export async function openExampleServer(
  name: string,
): Promise<{ url: string; close: () => Promise<void> }> {
  const port = await freePort();
  const script = createRequire(import.meta.url).resolve(
    `@modelcontextprotocol/sdk/examples/server/${name}.js`,
  );
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, MCP_PORT: String(port) },
    stdio: 'ignore',
  });
  const url = `http://localhost:${port}/mcp`;
  // The server answers as soon as it listens.
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} has ended.`);
    const isThere = await fetch(url, { method: 'HEAD' }).then(
      () => true,
      () => false,
    );
    if (isThere) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    url,
    close: async () => {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
