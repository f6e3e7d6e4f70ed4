import { serverError } from '../../../src/core/errors/errors.ts';
import type { GenerateEvent, Usage } from '../../../src/core/operations/events/events.ts';
import type {
  GenerateJob,
  TemplateMessage,
  ToolCall,
  ToolOffer,
} from '../../../src/core/operations/jobs/jobs.ts';
import { newId } from '../../generation/answer/ids.ts';
import { totalUsage } from '../../generation/answer/usage.ts';
import {
  runJob,
  type JobContext,
  type RequestedJob,
  type Sink,
  type Work,
} from '../../road/running-job.ts';
import { CitationReader } from '../file-search/citations.ts';
import { FILE_SEARCH, type Passage } from '../file-search/file-search-request.ts';
import type { FileUse } from '../file-search/file-use.ts';
import { passagesText, queriesOf, searchCall } from '../file-search/passages.ts';
import type { ServerCall, ServerUse } from '../mcp/server-use.ts';
import type { HostedEvent, SearchItem } from './hosted-items.ts';
import { WrittenTurn, type Finish } from './written-turn.ts';

export type ResponseEvent = GenerateEvent | HostedEvent;

/** The tools that are run here while a model answers. */
export interface HostedUse {
  files: FileUse;
  servers: ServerUse | undefined;
  /** Most calls of all of them. */
  most: number;
  /** The functions that the model may call, once the servers have listed their tools. */
  offer: () => ToolOffer | undefined;
}

/** Writes an answer with tools, which are run before it, or as often as the model calls them. */
export function answerWithTools(use: HostedUse): Work<'generate', ResponseEvent> {
  return (context, requested, sink) => new AnswerWithTools(use, context, requested, sink).write();
}

class AnswerWithTools {
  readonly #use: HostedUse;
  readonly #context: JobContext;
  readonly #requested: RequestedJob<'generate'>;
  readonly #sink: Sink<ResponseEvent>;
  readonly #passages: Passage[];
  readonly #citations = new CitationReader(() => this.#passages.length);
  readonly #usages: Usage[] = [];
  #calls = 0;

  constructor(
    use: HostedUse,
    context: JobContext,
    requested: RequestedJob<'generate'>,
    sink: Sink<ResponseEvent>,
  ) {
    this.#use = use;
    this.#context = context;
    this.#requested = requested;
    this.#sink = sink;
    this.#passages = [...use.files.passages];
  }

  async write(): Promise<void> {
    const { files, most } = this.#use;
    let job = await this.#prepared();
    if (files.first !== undefined) {
      const message = { role: 'assistant', content: '' } as const;
      job = withMessages(job, await this.#search([files.first], message));
    }
    for (;;) {
      const isOpen = this.#calls < most;
      const { call, message, end } = await this.#turn(isOpen ? job : this.#withoutHosted(job));
      const messages = call && isOpen ? await this.#run(call, message) : undefined;
      if (!messages) return this.#sink.take({ ...end, usage: this.#usage });
      job = withMessages(job, messages);
      if (job.maxTokens === undefined) continue;
      job = { ...job, maxTokens: job.maxTokens - end.usage.completionTokens };
      // The answer is cut where it would go on.
      if ((job.maxTokens ?? 0) <= 0) {
        return this.#sink.take({ ...end, reason: 'length', usage: this.#usage });
      }
    }
  }

  /** The job, with the tools of servers, and the results of calls that were approved. */
  async #prepared(): Promise<GenerateJob> {
    const { servers, offer } = this.#use;
    const { job } = this.#requested;
    if (!servers) return job;
    await servers.list(this.#context, this.#sink);
    const { tools: _, ...rest } = job;
    const tools = offer();
    let prepared: GenerateJob = { ...rest, ...(tools && { tools }) };
    for (const call of servers.approved) {
      const message = { role: 'assistant', content: '' } as const;
      prepared = withMessages(prepared, await this.#call(servers, call, message));
    }
    return prepared;
  }

  get #usage(): Usage {
    return totalUsage(this.#usages, 1);
  }

  #isHosted(name: string): boolean {
    const { files, servers } = this.#use;
    if (files.find && name === FILE_SEARCH) return true;
    return servers?.functions.some((each) => each.name === name) ?? false;
  }

  /** What the model writes until it ends, or calls a function. */
  async #turn(job: GenerateJob): Promise<{ end: Finish } & Pick<WrittenTurn, 'call' | 'message'>> {
    const turn = new WrittenTurn((name) => this.#isHosted(name));
    const take = async (event: GenerateEvent) => {
      if (turn.take(event)) await this.#pass(event);
    };
    await runJob(this.#context, { ...this.#requested, job }, { take });
    await this.#write(this.#citations.flush());
    const { end, call, message } = turn;
    if (!end) throw serverError('engine_error', 'The engine ended without a finish event.');
    this.#usages.push(end.usage);
    return { end, call, message };
  }

  async #pass(event: GenerateEvent): Promise<void> {
    if (event.type === 'text' && this.#use.files.isCited) {
      const { text, tokens } = event;
      return this.#write(this.#citations.push(text), tokens);
    }
    if (event.type !== 'written') await this.#write(this.#citations.flush());
    return this.#sink.take(event);
  }

  async #write(pieces: ReturnType<CitationReader['push']>, tokens?: number): Promise<void> {
    for (const piece of pieces) {
      if ('text' in piece) {
        const { text } = piece;
        await this.#sink.take({ type: 'text', text, ...(tokens !== undefined && { tokens }) });
      } else {
        const passage = this.#passages[piece.passage - 1];
        if (passage) await this.#sink.take({ type: 'cited', passage });
      }
    }
  }

  /**
   * Runs a function that the model has called.
   *
   * @param message - what the model has said before
   * @returns the message with the call, and the one with its result; undefined: the answer ends here
   */
  async #run(call: ToolCall, message: TemplateMessage): Promise<TemplateMessage[] | undefined> {
    const { servers } = this.#use;
    if (call.name === FILE_SEARCH) {
      const queries = queriesOf(call.arguments);
      return queries && this.#search(queries, message);
    }
    const target = servers?.functions.find(({ name }) => name === call.name);
    if (!servers || !target) return undefined;
    const { server, tool } = target;
    if (!server.needsApproval(tool)) return this.#call(servers, { ...call, target }, message);
    const item = {
      id: newId('mcpr_'),
      type: 'mcp_approval_request',
      server_label: server.label,
      name: tool.name,
      arguments: call.arguments,
    } as const;
    await this.#sink.take({ type: 'item-begun', item, stages: [] });
    await this.#sink.take({ type: 'item-ended', item, stage: undefined });
    return undefined;
  }

  async #call(
    servers: ServerUse,
    call: ServerCall,
    message: TemplateMessage,
  ): Promise<TemplateMessage[]> {
    this.#calls++;
    const { id, text } = await servers.call(this.#context, call, this.#sink);
    const { name } = call.target;
    return [
      { ...message, toolCalls: [{ id, name, arguments: call.arguments }] },
      { role: 'tool', name, toolCallId: id, content: text },
    ];
  }

  async #search(queries: string[], message: TemplateMessage): Promise<TemplateMessage[]> {
    const { find, isCited } = this.#use.files;
    this.#calls++;
    const id = newId('fs_');
    const item: SearchItem = {
      id,
      type: 'file_search_call',
      status: 'in_progress',
      queries: [],
      results: null,
    };
    await this.#sink.take({ type: 'item-begun', item, stages: ['in_progress', 'searching'] });
    const results = (await find?.(this.#context, queries)) ?? [];
    const ended: SearchItem = { ...item, status: 'completed', queries, results };
    await this.#sink.take({ type: 'item-ended', item: ended, stage: 'completed' });
    const content = passagesText(results, this.#passages.length, isCited);
    this.#passages.push(...results);
    return [
      { ...message, toolCalls: [searchCall(id, queries)] },
      { role: 'tool', name: FILE_SEARCH, toolCallId: id, content },
    ];
  }

  /** The job without the functions that are run here. */
  #withoutHosted({ tools: offer, ...job }: GenerateJob): GenerateJob {
    const isOther = (name: string) => !this.#isHosted(name);
    const tools = offer?.tools.filter(({ name }) => isOther(name)) ?? [];
    if (!offer || tools.length === 0) return job;
    const allowed = offer.allowed?.filter(isOther);
    const isOver = allowed?.length === 0;
    return {
      ...job,
      tools: { ...offer, tools, ...(allowed && { allowed }), ...(isOver && { choice: 'none' }) },
    };
  }
}

/** The job with the call of a tool. Once a tool has been called, the model is free to answer. */
function withMessages(job: GenerateJob, added: TemplateMessage[]): GenerateJob {
  const { prompt, tools } = job;
  if (prompt.kind !== 'chat') return job;
  return {
    ...job,
    prompt: { ...prompt, messages: [...prompt.messages, ...added] },
    ...(tools?.choice === 'required' && { tools: { ...tools, choice: 'auto' } }),
  };
}
