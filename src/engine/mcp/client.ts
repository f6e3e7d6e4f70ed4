/** `mcp.js`: the official client of the Model Context Protocol, and what this project asks of it. */
import {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { config } from 'zod';
import type { McpFault, McpServer, McpTool } from '../../core/operations/jobs/mcp-job.ts';
import { messageOf } from '../../core/text/message-of.ts';
import { VERSION } from '../../core/version.ts';
import { fetchOf, Unreachable, type PolicyScope } from './reach.ts';
import { resultText } from './result-text.ts';

// Without this, zod tries whether it may compile code, which a Content-Security-Policy reports.
config({ jitless: true });

/** What may take how long, milliseconds. */
export interface Patience {
  /** For a connection, and for the list of tools. */
  listMs: number;
  callMs: number;
}

/** What a call gave back. */
export interface CallResult {
  output?: string;
  fault?: McpFault;
}

/** A connection to a server. */
export interface Connection {
  list(signal: AbortSignal): Promise<McpTool[]>;
  call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallResult>;
  close(): Promise<void>;
}

/**
 * The first revision without a handshake. A server that speaks only such revisions refuses the handshake of the others.
 * It also reads headers that servers of the others need not allow by CORS, so it is tried last.
 */
const STATELESS = '2026-07-28';

/**
 * Opens a connection. It offers the server nothing: no sampling, no questions to the user, no files.
 *
 * @param scope - as in `fetchOf`
 */
export async function connect(
  { url, headers }: McpServer,
  signal: AbortSignal,
  { listMs, callMs }: Patience,
  scope?: PolicyScope,
): Promise<Connection> {
  const open = async (mode: 'legacy' | { pin: string }) => {
    const client = new Client(
      { name: 'slashv1', version: VERSION },
      { versionNegotiation: { mode } },
    );
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: fetchOf(scope),
    });
    await client.connect(transport, { signal, timeout: listMs });
    return { client, transport };
  };
  const { client, transport } = await open('legacy').catch((refused: unknown) => {
    if (!isRefusal(refused)) throw refused;
    return open({ pin: STATELESS }).catch((error: unknown) => {
      // If the server has not named the revision, what it said first tells more.
      throw messageOf(refused).includes(STATELESS) ? error : refused;
    });
  });
  return {
    list: async (listing) => {
      const { tools } = await client.listTools(undefined, {
        signal: listing,
        timeout: listMs,
        cacheMode: 'refresh',
      });
      return tools.map(({ name, description, inputSchema, annotations }) => ({
        name,
        ...(description !== undefined && { description }),
        input_schema: inputSchema,
        ...(annotations && { annotations: { ...annotations } }),
      }));
    },
    call: async (name, args, calling) => {
      const options = { signal: calling, timeout: callMs };
      const result = await client.callTool({ name, arguments: args }, options);
      const output = resultText(result);
      if (!result.isError) return { output };
      const content = [{ type: 'text' as const, text: output }];
      return { fault: { type: 'mcp_tool_execution_error', content } };
    },
    close: async () => {
      await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

/** Whether a server has answered a handshake, and has not accepted it. */
function isRefusal(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 400 || error.status === 404;
  return error instanceof ProtocolError;
}

/** What went wrong with a server. */
export function faultOf(error: unknown): McpFault {
  const fault = (type: 'mcp_protocol_error' | 'http_error', code: number, message: string) => ({
    type,
    code,
    message,
  });
  if (error instanceof ProtocolError) return fault('mcp_protocol_error', error.code, error.message);
  if (error instanceof SdkHttpError) return fault('http_error', error.status, error.message);
  if (error instanceof UnauthorizedError) return fault('http_error', 401, error.message);
  const unreachable = causes(error).find((each) => each instanceof Unreachable);
  if (unreachable) return fault('http_error', 0, unreachable.message);
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return fault('http_error', 408, 'The server did not answer in time.');
  }
  return fault('mcp_protocol_error', 0, messageOf(error));
}

/** Whether the connection may be used again: the server has answered. */
export function isUsable(fault: McpFault): boolean {
  return fault.type !== 'http_error';
}

function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
