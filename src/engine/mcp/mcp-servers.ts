import { orAborted } from '../../core/async/or-aborted.ts';
import type {
  McpEvent,
  McpFault,
  McpRequest,
  McpServer,
} from '../../core/operations/jobs/mcp-job.ts';
import type { JobOf } from '../../core/operations/jobs/jobs.ts';
import { isJson } from '../../core/text/is-json.ts';
import type { Connection, Patience } from './client.ts';
import type { McpClient } from './load-client.ts';
import type { PolicyScope } from './reach.ts';

/** A connection that no request uses for so long is closed, milliseconds. */
const IDLE_MS = 60_000;

const PATIENCE: Patience = { listMs: 30_000, callMs: 60_000 };

interface Parts {
  load: () => Promise<McpClient>;
  /** Reports violations of a policy, for `fetchOf`. */
  scope?: PolicyScope;
  patience?: Patience;
}

/** A connection, for requests to one server with the same headers. */
interface Kept {
  opening: Promise<Connection>;
  users: number;
  timer?: ReturnType<typeof setTimeout>;
}

/** Asks MCP servers. What is sent and what comes back is in memory only. */
export class McpServers {
  readonly #parts: Parts;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws the signal's reason; ApiError 500 if the client's script cannot be loaded. A server's failure is an event. */
  async answer(
    { op: _op, ...request }: JobOf<'mcp'>,
    signal: AbortSignal,
    emit: (event: McpEvent) => void,
  ): Promise<void> {
    const client = await orAborted(this.#parts.load(), signal);
    const id = JSON.stringify(request.server);
    const wasOpen = this.#kept.has(id);
    const fault = await this.#ask(client, request, id, signal, emit);
    if (!fault) return;
    // The server has forgotten the session, as after a restart, and has done nothing.
    const isForgotten = wasOpen && fault.type === 'http_error' && fault.code === 404;
    const last = isForgotten ? await this.#ask(client, request, id, signal, emit) : fault;
    if (last) emit({ type: 'mcp', fault: last });
  }

  /** @returns why the server did not answer; undefined: the answer was emitted */
  async #ask(
    client: McpClient,
    { server, call }: McpRequest,
    id: string,
    signal: AbortSignal,
    emit: (event: McpEvent) => void,
  ): Promise<McpFault | undefined> {
    const kept = this.#kept.get(id) ?? this.#open(client, server, id);
    kept.users++;
    clearTimeout(kept.timer);
    try {
      const connection = await orAborted(kept.opening, signal);
      if (!call) {
        emit({ type: 'mcp', tools: await orAborted(connection.list(signal), signal) });
        return undefined;
      }
      const args = argumentsOf(call.arguments);
      if (!args) return NO_OBJECT;
      emit({ type: 'mcp' });
      emit({ type: 'mcp', ...(await orAborted(connection.call(call.name, args, signal), signal)) });
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      const fault = client.faultOf(error);
      if (!client.isUsable(fault)) void this.#close(id, kept);
      return fault;
    } finally {
      kept.users--;
      if (kept.users === 0 && this.#kept.get(id) === kept) {
        kept.timer = setTimeout(() => void this.#close(id, kept), IDLE_MS);
      }
    }
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await Promise.all(Array.from(this.#kept, ([id, kept]) => this.#close(id, kept)));
  }

  /** The connection belongs to no single request: the first one may be cancelled while others wait for it. */
  #open(client: McpClient, server: McpServer, id: string): Kept {
    const { patience = PATIENCE, scope } = this.#parts;
    const { signal } = new AbortController();
    const kept: Kept = { opening: client.connect(server, signal, patience, scope), users: 0 };
    kept.opening.catch(() => void this.#close(id, kept));
    this.#kept.set(id, kept);
    return kept;
  }

  async #close(id: string, kept: Kept): Promise<void> {
    clearTimeout(kept.timer);
    if (this.#kept.get(id) === kept) this.#kept.delete(id);
    await kept.opening.then((connection) => connection.close()).catch(() => undefined);
  }
}

const NO_OBJECT = {
  type: 'mcp_protocol_error',
  code: -32_602,
  message: 'The arguments are not a JSON object.',
} as const;

function argumentsOf(json: string): Record<string, unknown> | undefined {
  const value: unknown = isJson(json) ? JSON.parse(json) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}
