import { HeardDelivery, PlacedDelivery, SingleDelivery, type Delivery } from './delivery.ts';
import { serverError } from '../errors/errors.ts';
import type { GenerateEvent } from './events/events.ts';
import type { ApiOperation, GenerateJob, JobOf, WrittenPiece } from './jobs/jobs.ts';

export function deliveryOf<Op extends ApiOperation>(job: JobOf<Op>): Delivery<Op>;
export function deliveryOf(
  job: JobOf<ApiOperation>,
):
  | Delivery<'generate'>
  | Delivery<'embed'>
  | Delivery<'rerank'>
  | Delivery<'transcribe'>
  | Delivery<ApiOperation> {
  switch (job.op) {
    case 'generate':
      return new DeliveredAnswer(job);
    case 'embed':
      return new PlacedDelivery<'embed'>((done) => {
        const { left, places } = without(job.texts, done);
        return { ...job, texts: left, places };
      });
    case 'rerank':
      return new PlacedDelivery<'rerank'>((done) => {
        const { left, places } = without(job.documents, done);
        return { ...job, documents: left, places };
      });
    case 'transcribe':
      return new HeardDelivery(job);
    default:
      return new SingleDelivery(job);
  }
}

function without(texts: readonly string[], done: ReadonlySet<number>) {
  const places = [...texts.keys()].filter((place) => !done.has(place));
  return { places, left: places.flatMap((place) => texts[place] ?? []) };
}

/** A stretch of an answer: events of one kind, in a row. */
interface Segment {
  kind: string;
  text: string;
}

/**
 * How much of a generated answer has been delivered. When its engine ends, another one gets the same
 * job, with the same seed and the output so far. It repeats the answer from the beginning, and only
 * the new part is passed on. Nothing is sent twice and nothing is left out; if the two answers differ,
 * that is an error.
 */
export class DeliveredAnswer implements Delivery<'generate'> {
  readonly isRepeatable = true;
  readonly #job: GenerateJob;
  /** The checkpoint: the model's raw output, as far as an engine has confirmed it. */
  #written: readonly WrittenPiece[] = [];
  /** What the present engine has confirmed so far. It takes the checkpoint's place as soon as it is no shorter. */
  #confirmed: WrittenPiece[] = [];
  readonly #segments: Segment[] = [];
  /** The present engine's position in the segments. */
  #index = 0;
  #offset = 0;

  constructor(job: GenerateJob) {
    this.#job = withSeed(job);
  }

  get length(): number {
    return this.#segments.reduce((sum, { text }) => sum + 1 + text.length, 0);
  }

  restart(automatic = false): GenerateJob {
    this.#index = 0;
    this.#offset = 0;
    this.#confirmed = [];
    const repeated = automatic && { automatic };
    return { ...this.#job, ...repeated, checkpoints: true, written: [...this.#written] };
  }

  take(event: GenerateEvent): GenerateEvent | undefined {
    if (event.type === 'written') {
      this.#confirmed.push(event.piece);
      if (event.piece.tokens >= (this.#written.at(-1)?.tokens ?? 0))
        this.#written = this.#confirmed;
      return undefined;
    }
    // The next engine reads the prompt in parts of its own.
    if (event.type === 'reading' || event.type === 'queued') {
      const isTurn = event.type === 'queued' && event.before === 0;
      const isNew = this.#segments.length === 0 && !isTurn;
      return this.#job.tellsReading && isNew ? event : undefined;
    }
    const { kind, text } = segmentOf(event);
    const past = this.#segments[this.#index];
    if (!past) {
      this.#add(kind, text);
      return event;
    }
    const rest = past.text.slice(this.#offset);
    if (past.kind !== kind || !(text.startsWith(rest) || rest.startsWith(text))) throw diverged();
    if (text.length < rest.length) {
      this.#offset += text.length;
      return undefined;
    }
    this.#index++;
    this.#offset = 0;
    return this.#restOf(event, text.slice(rest.length), kind);
  }

  /** Text beyond the end of a segment is new if the segment is the last one. */
  #restOf(event: GenerateEvent, text: string, kind: string): GenerateEvent | undefined {
    if (text === '') return undefined;
    if (this.#index < this.#segments.length || !('text' in event)) throw diverged();
    this.#add(kind, text);
    return { ...event, text };
  }

  #add(kind: string, text: string): void {
    const last = this.#segments.at(-1);
    if (last?.kind === kind && text !== '') last.text += text;
    else this.#segments.push({ kind, text });
    this.#index = this.#segments.length;
  }
}

function segmentOf(event: GenerateEvent): Segment {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return { kind: event.type, text: event.text };
    case 'tool-arguments':
      return { kind: `${event.type} ${event.index}`, text: event.text };
    case 'tool-call':
      // An engine may make up its own id: the one that was delivered first counts.
      return { kind: `${event.type} ${event.index} ${event.name}`, text: '' };
    case 'finish':
      // The usage may differ: the engines' KV caches held different parts of the prompt.
      return { kind: `${event.type} ${event.reason}`, text: '' };
    default:
      return { kind: event.type, text: '' };
  }
}

/** A seed that an engine chose itself would differ on the next one. */
function withSeed(job: GenerateJob): GenerateJob {
  const seed = job.sampling.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return { ...job, sampling: { ...job.sampling, seed } };
}

function diverged() {
  return serverError('engine_error', 'The engine was lost, and the answer could not be continued.');
}
