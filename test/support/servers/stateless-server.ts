import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

interface StatelessServer {
  url: string;
  origin: string;
  /** The MCP methods of all requests. */
  methods: string[];
  close(): Promise<void>;
}

/** The headers that requests of this revision have. */
const HEADERS = 'content-type, mcp-protocol-version, mcp-method, mcp-name';

/**
 * A server of the official SDK that speaks only MCP's revision 2026-07-28, which has no handshake and no sessions.
 *
 * @param headers - those that pages may send
 */
export async function openStatelessServer(headers = HEADERS): Promise<StatelessServer> {
  const methods: string[] = [];
  const handler = createMcpHandler(weatherServer, { legacy: 'reject' });
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', headers);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const body = await text(request);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { method }: { method: string } = JSON.parse(body);
    methods.push(method);
    const given = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const url = `http://${request.headers.host}${request.url}`;
    const answer = await handler.fetch(new Request(url, { method: 'POST', headers: given, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    methods,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function weatherServer(): McpServer {
  const server = new McpServer({ name: 'weather', version: '1.0.0' });
  server.registerTool(
    'get_weather',
    { description: 'Get the weather of a city', inputSchema: z.object({ city: z.string() }) },
    () => ({ content: [{ type: 'text', text: '{"temperature": 21, "condition": "sunny"}' }] }),
  );
  return server;
}
