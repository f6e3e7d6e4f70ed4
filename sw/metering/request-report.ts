import * as v from 'valibot';
import type { ApiRequest, RecordedAnswer } from '../../src/core/realms/api-request.ts';
import { toErrorData } from '../../src/core/errors/errors.ts';
import type { EventOf } from '../../src/core/operations/events/events.ts';
import type { ApiOperation } from '../../src/core/operations/jobs/jobs.ts';
import type { FollowedRoute } from '../../src/core/realms/routes.ts';
import { SERVED_BY_HEADER } from '../../src/core/realms/upstreams.ts';
import type { StoredKey } from '../../src/core/database/database.ts';
import { plainObject } from '../http/fields.ts';
import { passing } from '../http/passing-body.ts';
import type { RequestBody } from '../http/request-body.ts';
import type { JobFollower } from '../road/running-job.ts';
import type { JobMeter } from './job-meter.ts';

/** How often progress is reported while an answer is written, milliseconds. */
const TELL_MS = 500;

/** Fields that say how to answer, and hold no contents. */
const NAMES = new Set([
  ...['model', 'voice', 'tool_choice', 'function_call', 'reasoning', 'reasoning_effort'],
  ...['thinking', 'stream_options'],
  ...['logit_bias', 'service_tier', 'truncation', 'modalities', 'include', 'encoding_format'],
  ...['input_type', 'language', 'lang_code', 'stream_format', 'timestamp_granularities[]'],
]);

/** The pages that watch requests. */
export interface Watching {
  readonly isWatched: boolean;
  /** Whether contents are kept for now. The pages may not want them. */
  readonly mayWantContents: boolean;
  readonly wantsContents: boolean;
  post(request: ApiRequest): void;
}

/** What is reported of a request when it begins. */
export interface ReportedRequest {
  id: string;
  /** `v1/chat/completions` */
  path: string;
  request: Pick<Request, 'method'>;
  body: RequestBody;
}

/** Follows one request for the pages that watch. */
export class RequestReport implements JobFollower {
  readonly #log: Watching;
  readonly #began = performance.now();
  readonly #body: Promise<Record<string, unknown> | undefined>;
  readonly #answers: RecordedAnswer[] = [];
  #answer: RecordedAnswer | undefined;
  #request: ApiRequest;
  /** The request before its current job. A request with several prompts has several jobs. */
  #before: ApiRequest;
  #toldAt = 0;
  #isOver = false;

  constructor(log: Watching, { id, path, request: { method }, body: given }: ReportedRequest) {
    this.#log = log;
    this.#request = { id, at: Date.now(), method, endpoint: path.slice('v1/'.length) };
    this.#before = this.#request;
    this.#body = method === 'POST' ? doublesOf(given) : Promise.resolve(undefined);
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

  /** An entry of a route was chosen. An earlier error only tells why another entry was not. */
  routed(route: FollowedRoute): void {
    const { error: _error, ...facts } = this.#request;
    this.#request = facts;
    const [, model = route.name] = /^[^:]+:(.+)$/s.exec(route.to ?? '') ?? [];
    this.#learn({ route, model });
  }

  /** The answer is this error. */
  refused(error: unknown): void {
    this.#fail(error);
    this.#learn({ status: toErrorData(error).status });
    this.#end(false);
  }

  /** Follows the response to its end. */
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

  began({ model }: { model?: string }): void {
    this.#before = this.#request;
    if (model !== undefined) this.#learn({ model });
  }

  took(event: EventOf<ApiOperation>, meter: JobMeter): void {
    this.#take(event);
    if (meter.tokens > 0) this.#count(meter);
  }

  ended(_meter: JobMeter, error: unknown): void {
    if (error !== undefined) this.#fail(error);
  }

  #fail(error: unknown): void {
    const { code, message } = toErrorData(error);
    this.#learn({ error: { code, message } });
  }

  #count(meter: JobMeter): void {
    const before = this.#before;
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

/** The fields that hold no contents: numbers, booleans, and those in NAMES. */
function parametersOf(body: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(body);
  return Object.fromEntries(
    entries.filter(([name, value]) => /^(number|boolean)$/.test(typeof value) || NAMES.has(name)),
  );
}

/** The fields of a body, with numbers that any page can write as JSON. */
async function doublesOf(body: RequestBody): Promise<Record<string, unknown> | undefined> {
  const fields = await body.fields();
  return fields && v.parse(plainObject, fields);
}
