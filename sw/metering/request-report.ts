import type { ApiRequest, RecordedAnswer } from '../../src/core/realms/api-request.ts';
import type { Engine } from '../../src/core/port/engine.ts';
import { toErrorData } from '../../src/core/errors/errors.ts';
import type { EventOf } from '../../src/core/operations/events.ts';
import type { ApiOperation, JobOf } from '../../src/core/operations/jobs.ts';
import type { FollowedRoute } from '../../src/core/realms/routes.ts';
import { SERVED_BY_HEADER } from '../../src/core/realms/upstreams.ts';
import type { StoredKey } from '../../src/core/database/database.ts';
import { passing } from '../http/passing-body.ts';
import { JobMeter } from './job-meter.ts';
import { metered } from './metered.ts';
import { bodyOf, parametersOf } from './request-parameters.ts';
import type { Watching } from './watching.ts';

/** While an answer is written, how far it is is told this often, milliseconds. */
const TELL_MS = 500;

/** Follows one request for those who watch. */
export class RequestReport {
  readonly #log: Watching;
  readonly #began = performance.now();
  readonly #body: Promise<Record<string, unknown> | undefined>;
  readonly #answers: RecordedAnswer[] = [];
  #answer: RecordedAnswer | undefined;
  #request: ApiRequest;
  #toldAt = 0;
  #isOver = false;

  constructor(log: Watching, id: string, endpoint: string, request: Request) {
    const { method } = request;
    this.#log = log;
    this.#request = { id, at: Date.now(), method, endpoint };
    this.#body = method === 'POST' ? bodyOf(request.clone()) : Promise.resolve(undefined);
    this.#tell();
    void this.#body.then((body) => {
      if (!body) return;
      const isNew = typeof body.model === 'string' && this.#request.model === undefined;
      const model = isNew ? { model: String(body.model) } : {};
      this.#learn({ ...model, parameters: parametersOf(body) });
    });
  }

  keyed({ label }: StoredKey): void {
    this.#learn({ key: label });
  }

  /** The entry of a route was chosen: what failed before is why others were not. */
  routed(route: FollowedRoute): void {
    const { error: _error, ...facts } = this.#request;
    this.#request = facts;
    const [, model = route.name] = /^[^:]+:(.+)$/s.exec(route.to ?? '') ?? [];
    this.#learn({ route, model });
  }

  failed(error: unknown): void {
    const { code, message } = toErrorData(error);
    this.#learn({ error: { code, message } });
  }

  /** The response, followed to its end. */
  answered(response: Response): Response {
    const [, name] = / name=(.+)/.exec(response.headers.get(SERVED_BY_HEADER) ?? '') ?? [];
    this.#learn({ status: response.status, ...(name !== undefined && { upstream: name }) });
    if (!response.body) {
      this.#end(false);
      return response;
    }
    return new Response(
      passing(response.body, { onEnd: (isCancelled) => this.#end(isCancelled) }),
      response,
    );
  }

  /** The engine, whose jobs are followed. */
  engine(engine: Engine<ApiOperation>): Engine<ApiOperation> {
    return { run: (job, signal) => this.#follow(engine, job, signal) };
  }

  async *#follow<Op extends ApiOperation>(
    engine: Engine<ApiOperation>,
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncGenerator<EventOf<Op>, void, undefined> {
    const before = this.#request;
    const meter = new JobMeter();
    const take = (event: EventOf<ApiOperation>) => {
      meter.take(event);
      this.#take(event);
      if (meter.tokens > 0) this.#count(before, meter);
    };
    if ('model' in job) this.#learn({ model: job.model });
    try {
      yield* metered(engine, job, signal, { take });
    } catch (error) {
      if (!signal.aborted) this.failed(error);
      throw error;
    }
  }

  /** @param before - the request before this job: one with several prompts runs several */
  #count(before: ApiRequest, meter: JobMeter): void {
    const completionTokens = (before.completionTokens ?? 0) + meter.completionTokens;
    const { firstTokenMs } = this.#request;
    const seconds = firstTokenMs === undefined ? 0 : (this.#elapsed - firstTokenMs) / 1_000;
    this.#request = {
      ...this.#request,
      promptTokens: (before.promptTokens ?? 0) + meter.promptTokens,
      cachedTokens: (before.cachedTokens ?? 0) + meter.cachedTokens,
      completionTokens,
      ...(seconds > 0 &&
        completionTokens > 1 && { tokensPerSecond: (completionTokens - 1) / seconds }),
    };
    if (performance.now() - this.#toldAt > TELL_MS) this.#tell();
  }

  #take(event: EventOf<ApiOperation>): void {
    switch (event.type) {
      case 'reading':
        if (this.#request.queuedMs === undefined) this.#learn({ queuedMs: this.#elapsed });
        break;
      case 'text':
        this.#first();
        this.#record((answer) => (answer.text += event.text));
        break;
      case 'reasoning':
        this.#first();
        this.#record((answer) => (answer.reasoning += event.text));
        break;
      case 'tool-call':
        this.#first();
        this.#record(({ toolCalls }) => toolCalls.push({ name: event.name, arguments: '' }));
        break;
      case 'tool-arguments':
        this.#record(({ toolCalls }) => {
          const call = toolCalls[event.index];
          if (call) call.arguments += event.text;
        });
        break;
      case 'heard':
        this.#first();
        this.#record((answer) => (answer.text += event.segments.map(({ text }) => text).join('')));
        break;
      case 'audio':
        this.#first();
        break;
      case 'finish':
        this.#request = { ...this.#request, finishReason: event.reason };
        this.#answer = undefined;
        break;
      default:
    }
  }

  #record(add: (answer: RecordedAnswer) => void): void {
    if (!this.#log.mayWantContents) return;
    if (!this.#answer) {
      this.#answer = { text: '', reasoning: '', toolCalls: [] };
      this.#answers.push(this.#answer);
    }
    add(this.#answer);
  }

  #first(): void {
    if (this.#request.firstTokenMs === undefined) this.#learn({ firstTokenMs: this.#elapsed });
  }

  get #elapsed(): number {
    return performance.now() - this.#began;
  }

  #learn(news: Partial<ApiRequest>): void {
    this.#request = { ...this.#request, ...news };
    this.#tell();
  }

  #tell(): void {
    this.#toldAt = performance.now();
    if (this.#log.isWatched && !this.#isOver) this.#log.post(this.#request);
  }

  #end(isCancelled: boolean): void {
    if (this.#isOver) return;
    const aborted = { error: { code: 'aborted', message: 'The client hung up.' } };
    this.#learn({ durationMs: this.#elapsed, ...(isCancelled && aborted) });
    this.#isOver = true;
    if (this.#log.wantsContents) void this.#tellContents();
  }

  async #tellContents(): Promise<void> {
    const body = await this.#body;
    const answers = this.#answers.length > 0 ? { answers: this.#answers } : {};
    this.#log.post({ ...this.#request, ...(body && { body }), ...answers });
  }
}
