import {
  DRAFT_KINDS,
  totalDrafts,
  type DraftCounts,
  type Drafts,
} from '../../core/operations/drafts.ts';
import type { EventOf, MetricsEvent } from '../../core/operations/events/events.ts';
import type { JobOf } from '../../core/operations/jobs/jobs.ts';

/** Upper bounds of the histogram, seconds. */
const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type Outcome = 'answered' | 'failed' | 'cancelled';
export type CountedEvent = EventOf<
  'generate' | 'decide' | 'speak' | 'embed' | 'rerank' | 'transcribe'
>;

/** The counters of one model. */
class ModelCounts {
  readonly requests: Record<Outcome, number> = { answered: 0, failed: 0, cancelled: 0 };
  waiting = 0;
  running = 0;
  promptTokens = 0;
  cachedTokens = 0;
  completionTokens = 0;
  drafts: Drafts = {};
  readonly firstSeconds: number[] = BUCKETS.map(() => 0);
  firstSum = 0;
  firstCount = 0;

  noteFirst(seconds: number): void {
    this.waiting--;
    this.running++;
    this.firstSum += seconds;
    this.firstCount++;
    for (const [index, bound] of BUCKETS.entries()) {
      if (seconds <= bound) this.firstSeconds[index] = (this.firstSeconds[index] ?? 0) + 1;
    }
  }
}

/** A job that is counted. */
export interface CountedJob<E> {
  readonly job: { model: string };
  emit: (event: E) => void;
}

/** Counts requests and tokens of each model. Keeps no text of prompts and answers. */
export class Metrics {
  readonly #models = new Map<string, ModelCounts>();
  #requests = 0;
  /** Called when no request is under way. */
  #waiting: (() => void)[] = [];

  /** Resolves when no request waits or is being answered. */
  idle(): Promise<void> {
    if (this.#requests === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** A stage that counts the job with its model. */
  readonly count = async <E extends CountedEvent>(
    context: CountedJob<E>,
    next: () => Promise<void>,
  ): Promise<void> => {
    const { job, emit } = context;
    const counts = this.#of(job.model);
    const began = performance.now();
    let hasBegun = false;
    let outcome: Outcome = 'cancelled';
    counts.waiting++;
    this.#requests++;
    context.emit = (event) => {
      const isWaiting = event.type === 'queued';
      if (!hasBegun && !isWaiting) counts.noteFirst((performance.now() - began) / 1000);
      hasBegun ||= !isWaiting;
      note(counts, event);
      emit(event);
    };
    try {
      await next();
      outcome = 'answered';
    } catch (error) {
      outcome = isAbort(error) ? 'cancelled' : 'failed';
      throw error;
    } finally {
      counts.requests[outcome]++;
      if (--this.#requests === 0) for (const resolve of this.#waiting.splice(0)) resolve();
      if (hasBegun) counts.running--;
      else counts.waiting--;
    }
  };

  report({ models }: JobOf<'metrics'>): MetricsEvent {
    const all = [...this.#models].filter(([id]) => models?.includes(id) ?? true);
    const requests = all.reduce((sum, [, { waiting, running }]) => sum + waiting + running, 0);
    return { type: 'metrics', text: all.length === 0 ? '' : reportOf(all), requests };
  }

  #of(model: string): ModelCounts {
    const known = this.#models.get(model) ?? new ModelCounts();
    this.#models.set(model, known);
    return known;
  }
}

function note(counts: ModelCounts, event: CountedEvent): void {
  if ('tokens' in event && 'places' in event) counts.promptTokens += event.tokens;
  if (event.type !== 'finish' && event.type !== 'decided') return;
  const usage = { completionTokens: 0, ...event.usage };
  counts.promptTokens += usage.promptTokens;
  counts.cachedTokens += usage.cachedTokens;
  counts.completionTokens += usage.completionTokens;
  if (event.type === 'finish')
    Object.assign(counts, totalDrafts([counts.drafts, event.usage.drafts]));
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

type Counted = readonly (readonly [model: string, counts: ModelCounts])[];

/** Prometheus's text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
function reportOf(all: Counted): string {
  return [
    ...requestsOf(all),
    ...family(all, 'requests_waiting', 'gauge', 'Requests without a first token.', 'waiting'),
    ...family(all, 'requests_running', 'gauge', 'Requests that are being answered.', 'running'),
    ...family(all, 'prompt_tokens_total', 'counter', 'Tokens of prompts.', 'promptTokens'),
    ...family(all, 'cached_tokens_total', 'counter', 'Of these, cached ones.', 'cachedTokens'),
    ...family(all, 'generated_tokens_total', 'counter', 'Tokens of answers.', 'completionTokens'),
    ...draftsOf(all, 'drafted', 'Tokens that were computed ahead.'),
    ...draftsOf(all, 'accepted', 'Of these, tokens that were written.'),
    ...firstTokensOf(all),
  ].join('');
}

function family(
  all: Counted,
  name: string,
  kind: string,
  help: string,
  field: 'waiting' | 'running' | 'promptTokens' | 'cachedTokens' | 'completionTokens',
): string[] {
  return [
    head(name, kind, help),
    ...all.map(([id, each]) => line(name, { model: id }, each[field])),
  ];
}

function requestsOf(all: Counted): string[] {
  const name = 'requests_total';
  const lines = all.flatMap(([model, { requests }]) =>
    Object.entries(requests).map(([outcome, count]) => line(name, { model, outcome }, count)),
  );
  return [head(name, 'counter', 'Requests that have ended.'), ...lines];
}

function draftsOf(all: Counted, what: keyof DraftCounts, help: string): string[] {
  const name = `draft_tokens_${what}_total`;
  const lines = all.flatMap(([model, { drafts }]) =>
    DRAFT_KINDS.map((source) => line(name, { model, source }, drafts[source]?.[what] ?? 0)),
  );
  return [head(name, 'counter', help), ...lines];
}

function firstTokensOf(all: Counted): string[] {
  const name = 'time_to_first_token_seconds';
  const lines = all.flatMap(([model, { firstSeconds, firstSum, firstCount }]) => [
    ...BUCKETS.map((le, index) =>
      line(`${name}_bucket`, { model, le: String(le) }, firstSeconds[index] ?? 0),
    ),
    line(`${name}_bucket`, { model, le: '+Inf' }, firstCount),
    line(`${name}_sum`, { model }, firstSum),
    line(`${name}_count`, { model }, firstCount),
  ]);
  return [head(name, 'histogram', 'From a request to its first token or audio.'), ...lines];
}

function head(name: string, kind: string, help: string): string {
  return `# HELP slashv1_${name} ${help}\n# TYPE slashv1_${name} ${kind}\n`;
}

function line(name: string, labels: Record<string, string>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `slashv1_${name}{${pairs.join(',')}} ${value}\n`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
