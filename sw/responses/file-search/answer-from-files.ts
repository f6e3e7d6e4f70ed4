import { serverError } from '../../../src/core/errors/errors.ts';
import type { GenerateEvent, Usage } from '../../../src/core/operations/events.ts';
import type { GenerateJob, TemplateMessage } from '../../../src/core/operations/jobs.ts';
import { newId } from '../../generation/answer/ids.ts';
import { totalUsage } from '../../generation/answer/usage.ts';
import {
  runJob,
  type JobContext,
  type RequestedJob,
  type Sink,
  type Work,
} from '../../road/running-job.ts';
import { CitationReader } from './citations.ts';
import { FILE_SEARCH, type Passage } from './file-search-request.ts';
import type { FindPassages } from './find-passages.ts';
import { passagesText, queriesOf, searchCall } from './passages.ts';
import { WrittenTurn, type Finish } from './written-turn.ts';

/** What an answer from files reports beside what the model writes. */
export type SearchEvent =
  | { type: 'searching'; id: string }
  | { type: 'searched'; id: string; queries: string[]; passages: Passage[] }
  | { type: 'cited'; passage: Passage };

export type ResponseEvent = GenerateEvent | SearchEvent;

/** How an answer uses files. */
export interface FileUse {
  /** Undefined: nothing is searched. */
  find: FindPassages | undefined;
  /** What is searched for before the model is asked; undefined: the model may ask for searches. */
  first: string | undefined;
  /** Most searches. */
  most: number;
  /** The passages in the request's items, which have the first numbers. */
  passages: readonly Passage[];
  /** Whether the model is to cite passages. */
  isCited: boolean;
}

/** Writes an answer from the passages of files, which are found before it, or as often as the model asks. */
export function answerFromFiles(use: FileUse): Work<'generate', ResponseEvent> {
  return (context, requested, sink) => new AnswerFromFiles(use, context, requested, sink).write();
}

class AnswerFromFiles {
  readonly #use: FileUse;
  readonly #context: JobContext;
  readonly #requested: RequestedJob<'generate'>;
  readonly #sink: Sink<ResponseEvent>;
  readonly #passages: Passage[];
  readonly #citations = new CitationReader(() => this.#passages.length);
  readonly #usages: Usage[] = [];
  #searches = 0;

  constructor(
    use: FileUse,
    context: JobContext,
    requested: RequestedJob<'generate'>,
    sink: Sink<ResponseEvent>,
  ) {
    this.#use = use;
    this.#context = context;
    this.#requested = requested;
    this.#sink = sink;
    this.#passages = [...use.passages];
  }

  async write(): Promise<void> {
    const { find, first, most } = this.#use;
    let { job } = this.#requested;
    if (find && first !== undefined) {
      job = withMessages(
        job,
        await this.#search(find, [first], { role: 'assistant', content: '' }),
      );
    }
    for (;;) {
      const { search, message, end } = await this.#turn(
        this.#searches < most ? job : withoutSearch(job),
      );
      const queries = search && queriesOf(search.arguments);
      if (!find || !queries || this.#searches >= most)
        return this.#sink.take({ ...end, usage: this.#usage });
      job = withMessages(job, await this.#search(find, queries, message));
      if (job.tools?.choice === 'required')
        job = { ...job, tools: { ...job.tools, choice: 'auto' } };
      if (job.maxTokens === undefined) continue;
      job = { ...job, maxTokens: job.maxTokens - end.usage.completionTokens };
      // The answer is cut where it would go on.
      if ((job.maxTokens ?? 0) <= 0) {
        return this.#sink.take({ ...end, reason: 'length', usage: this.#usage });
      }
    }
  }

  get #usage(): Usage {
    return totalUsage(this.#usages, 1);
  }

  /** What the model writes until it ends, or calls a function. */
  async #turn(
    job: GenerateJob,
  ): Promise<{ end: Finish } & Pick<WrittenTurn, 'search' | 'message'>> {
    const turn = new WrittenTurn();
    const take = async (event: GenerateEvent) => {
      if (turn.take(event)) await this.#pass(event);
    };
    await runJob(this.#context, { ...this.#requested, job }, { take });
    await this.#write(this.#citations.flush());
    const { end, search, message } = turn;
    if (!end) throw serverError('engine_error', 'The engine ended without a finish event.');
    this.#usages.push(end.usage);
    return { end, search, message };
  }

  async #pass(event: GenerateEvent): Promise<void> {
    if (event.type === 'text' && this.#use.isCited) {
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
   * Searches.
   *
   * @param message - what the model has said before
   * @returns the message with the call, and the one with its result
   */
  async #search(
    find: FindPassages,
    queries: string[],
    message: TemplateMessage,
  ): Promise<TemplateMessage[]> {
    this.#searches++;
    const id = newId('fs_');
    await this.#sink.take({ type: 'searching', id });
    const passages = await find(this.#context, queries);
    await this.#sink.take({ type: 'searched', id, queries, passages });
    const content = passagesText(passages, this.#passages.length, this.#use.isCited);
    this.#passages.push(...passages);
    return [
      { ...message, toolCalls: [searchCall(id, queries)] },
      { role: 'tool', name: FILE_SEARCH, toolCallId: id, content },
    ];
  }
}

function withMessages(job: GenerateJob, added: TemplateMessage[]): GenerateJob {
  const { prompt } = job;
  if (prompt.kind !== 'chat') return job;
  return { ...job, prompt: { ...prompt, messages: [...prompt.messages, ...added] } };
}

/** The job without the function that searches. */
function withoutSearch({ tools: offer, ...job }: GenerateJob): GenerateJob {
  const tools = offer?.tools.filter(({ name }) => name !== FILE_SEARCH) ?? [];
  if (!offer || tools.length === 0) return job;
  const allowed = offer.allowed?.filter((name) => name !== FILE_SEARCH);
  const isOver = allowed?.length === 0;
  return {
    ...job,
    tools: { ...offer, tools, ...(allowed && { allowed }), ...(isOver && { choice: 'none' }) },
  };
}
