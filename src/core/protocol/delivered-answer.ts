import { SingleDelivery, type Delivery } from './delivery.ts';
import type { GenerateJob, Job, JobEvent, WrittenPiece } from './engine.ts';
import { serverError } from './errors.ts';

/** Of any job. */
export function deliveryOf(job: Job): Delivery {
  return job.op === 'generate' ? new DeliveredAnswer(job) : new SingleDelivery(job);
}

/** A stretch of an answer: all that came of one kind, in a row. */
interface Segment {
  kind: string;
  text: string;
}

/**
 * What of an answer has been delivered. When its engine ends, another one is given the same job,
 * with the same seed and what was written so far, and gives the same answer from its beginning: of
 * that, only what is new is passed on. Nothing is sent twice and nothing is left out; where the answers
 * differ, that is an error.
 */
export class DeliveredAnswer implements Delivery {
  readonly isRepeatable = true;
  readonly #job: GenerateJob;
  /** What the model wrote for it, raw. */
  #written: WrittenPiece[] = [];
  readonly #segments: Segment[] = [];
  /** Where in the segments the present engine is. */
  #index = 0;
  #offset = 0;

  constructor(job: GenerateJob) {
    this.#job = withSeed(job);
  }

  get length(): number {
    return this.#segments.reduce((sum, { text }) => sum + 1 + text.length, 0);
  }

  restart(): Job {
    this.#index = 0;
    this.#offset = 0;
    const written = this.#written;
    this.#written = [];
    return { ...this.#job, checkpoints: true, written };
  }

  take(event: JobEvent): JobEvent | undefined {
    if (event.type === 'written') {
      this.#written.push(event.piece);
      return undefined;
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

  /** What goes beyond the end of a segment is new, if that was the last one. */
  #restOf(event: JobEvent, text: string, kind: string): JobEvent | undefined {
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

function segmentOf(event: JobEvent): Segment {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return { kind: event.type, text: event.text };
    case 'tool-arguments':
      return { kind: `${event.type} ${event.index}`, text: event.text };
    case 'tool-call':
      // Its id is made up anew each time: the one that was delivered first counts.
      return { kind: `${event.type} ${event.index} ${event.name}`, text: '' };
    case 'finish':
      // Its usage may differ: what one engine had in its KV cache, another had not.
      return { kind: `${event.type} ${event.reason}`, text: '' };
    default:
      return { kind: event.type, text: '' };
  }
}

/** A chance of one's own would not come twice. */
function withSeed(job: GenerateJob): GenerateJob {
  const seed = job.sampling.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  return { ...job, sampling: { ...job.sampling, seed } };
}

function diverged() {
  return serverError('engine_error', 'The engine was lost, and the answer could not be continued.');
}
