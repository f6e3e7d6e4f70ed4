import { EngineLost, refusal } from '../../../src/core/errors/errors.ts';
import type {
  McpEvent,
  McpFault,
  McpRequest,
  McpTool,
} from '../../../src/core/operations/jobs/mcp-job.ts';
import { newId } from '../../generation/answer/ids.ts';
import { isTooDeep } from '../../http/parse-value.ts';
import { runJob, type JobContext, type Sink } from '../../road/running-job.ts';
import { beginning, CONTEXT_SHARE, TOKEN_BYTES } from '../hosted/beginning.ts';
import type { CallItem, HostedEvent, ListItem } from '../hosted/hosted-items.ts';
import type { AskedServer } from './asked-servers.ts';
import { calledText, errorText, notOffered, type ApprovedCall } from './mcp-items.ts';
import { serverFunctions, type ListedServer, type ServerFunction } from './server-functions.ts';

/** Most bytes of a tool's output, however long the context of the model is. */
const MOST_OUTPUT = 64 * 1024;

/** A call of a server's tool. */
export interface ServerCall {
  target: Pick<ServerFunction, 'name' | 'server' | 'tool'>;
  arguments: string;
  /** Id of the request for its approval; undefined: it needs none. */
  approval?: string;
}

interface Asked {
  servers: readonly AskedServer[];
  /** The tools of servers that the request's items have, by their labels. */
  known: ReadonlyMap<string, readonly McpTool[]>;
  approved: readonly ApprovedCall[];
  /** Names of the request's own functions. */
  others: readonly string[];
  /** Tokens. */
  contextLength: number;
}

/** The servers of a request: lists their tools, and calls them. */
export class ServerUse {
  readonly #asked: Asked;
  readonly #mostOutput: number;
  #listed: ListedServer[] = [];
  #functions: ServerFunction[] = [];

  constructor(asked: Asked) {
    this.#asked = asked;
    const share = Math.floor(asked.contextLength * CONTEXT_SHARE) * TOKEN_BYTES;
    this.#mostOutput = Math.min(MOST_OUTPUT, share);
  }

  /** The functions that stand for the servers' tools, once they are listed. */
  get functions(): readonly ServerFunction[] {
    return this.#functions;
  }

  /** Lists the tools of all servers. @throws ApiError 424 if a server does not list them */
  async list(context: JobContext, sink?: Sink<HostedEvent>): Promise<void> {
    const { servers, known, others } = this.#asked;
    const asking = servers.map(async (server) => {
      const tools = known.get(server.label);
      return tools ? { tools: [...tools] } : ask(context, { server: server.server });
    });
    // A failure is thrown where its server's turn is.
    for (const each of asking) each.catch(() => undefined);
    for (const [at, server] of servers.entries()) {
      const isKnown = known.has(server.label);
      const item: ListItem = {
        id: newId('mcpl_'),
        type: 'mcp_list_tools',
        server_label: server.label,
        tools: [],
      };
      if (!isKnown) await sink?.take({ type: 'item-begun', item, stages: ['in_progress'] });
      const answer = checked((await asking[at]) ?? {});
      const { tools = [], fault } = answer;
      const ended = { ...item, tools, ...(fault && { error: fault }) };
      const stage = fault ? 'failed' : 'completed';
      if (!isKnown) await sink?.take({ type: 'item-ended', item: ended, stage });
      if (fault) throw notListed(server, fault);
      this.#listed.push({ server, tools });
    }
    this.#functions = serverFunctions(this.#listed, others);
  }

  /** The calls that were approved, and have not been made. @throws ApiError 400 for tools that the request has not */
  get approved(): ServerCall[] {
    return this.#asked.approved.map((approved) => {
      const { request, label, name, arguments: given } = approved;
      const target = this.#functions.find(
        ({ server, tool }) => server.label === label && tool.name === name,
      );
      if (!target) throw notOffered(approved);
      return { target, arguments: given, approval: request };
    });
  }

  /** Calls a tool. @returns what the model reads of it */
  async call(
    context: JobContext,
    { target: { server, tool }, arguments: given, approval }: ServerCall,
    sink: Sink<HostedEvent>,
  ): Promise<{ id: string; text: string }> {
    const item: CallItem = {
      id: newId('mcp_'),
      type: 'mcp_call',
      status: 'in_progress',
      server_label: server.label,
      name: tool.name,
      arguments: given,
      output: null,
      error: null,
      approval_request_id: approval ?? null,
    };
    await sink.take({ type: 'item-begun', item, stages: ['in_progress'] });
    const call = { name: tool.name, arguments: given };
    const { output, fault } = this.#cut(
      await ask(context, { server: server.server, call }).catch(lostCall),
    );
    const status = fault ? 'failed' : 'completed';
    const ended = { ...item, status, output: output ?? null, error: fault ?? null } as const;
    await sink.take({ type: 'item-ended', item: ended, stage: status });
    return { id: item.id, text: calledText(output, fault) };
  }

  #cut({ output, fault }: Answer): Answer {
    const cut = (text: string) => shortened(text, this.#mostOutput);
    if (!fault) return { output: cut(output ?? '') };
    if (fault.type !== 'mcp_tool_execution_error') {
      return { fault: { ...fault, message: cut(fault.message) } };
    }
    return { fault: { ...fault, content: [{ type: 'text', text: cut(errorText(fault)) }] } };
  }
}

type Answer = Omit<McpEvent, 'type'>;

async function ask(context: JobContext, request: McpRequest): Promise<Answer> {
  let answer: Answer = {};
  await runJob(
    // The request is reported as one for the model that answers.
    { ...context, report: undefined },
    { job: { op: 'mcp', ...request }, answers: 0, fieldOf: () => 'tools' },
    { take: (event) => void (answer = event) },
  );
  return answer;
}

/** A call is not repeated: it may have done its work. */
function lostCall(error: unknown): Answer {
  if (!(error instanceof EngineLost)) throw error;
  const message =
    'The tab that called the server has ended. Whether the tool has run is not known.';
  return { fault: { type: 'http_error', code: 0, message } };
}

/** A list that no engine could read is no list. */
function checked(answer: Answer): Answer {
  if (!isTooDeep(answer.tools)) return answer;
  const message = 'A schema is nested too deeply.';
  return { fault: { type: 'mcp_protocol_error', code: 0, message } };
}

function notListed({ label, index }: AskedServer, fault: McpFault) {
  const message = `The server '${label}' did not list its tools: ${errorText(fault)}`;
  return refusal(424, message, fault.type, `tools[${index}].server_url`);
}

/** @param most - bytes */
function shortened(text: string, most: number): string {
  const begun = beginning(text, most);
  if (begun.length === text.length) return text;
  return `${begun}\n[Cut here: it has ${text.length} characters.]`;
}
