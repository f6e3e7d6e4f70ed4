import type { HeardSoFar } from './jobs/audio-jobs.ts';
import type { EventOf, TranscribeEvent } from './events/events.ts';
import type { JobOf, Operation } from './jobs/jobs.ts';

/** How much of a job's answer has been delivered, in case its engine ends and another takes the job over. */
export interface Delivery<Op extends Operation> {
  /** Whether another engine can continue from here. */
  readonly isRepeatable: boolean;
  /** Grows with everything that is delivered. */
  readonly length: number;
  /**
   * The job for another engine, which begins it now.
   *
   * @param automatic - the previous engine was lost, so no client asks for the job just now
   */
  restart(automatic?: boolean): JobOf<Op>;
  /**
   * @returns the new part of the event; undefined if all of it has been delivered
   * @throws ApiError 500 if the events differ from those already delivered
   */
  take(event: EventOf<Op>): EventOf<Op> | undefined;
}

/** For a job whose events are about single texts: the next engine computes those that are left. */
export class PlacedDelivery<Op extends 'embed' | 'rerank'> implements Delivery<Op> {
  readonly isRepeatable = true;
  readonly #remaining: (done: ReadonlySet<number>) => JobOf<Op>;
  readonly #done = new Set<number>();

  /** @param remaining - the job without the texts at these places */
  constructor(remaining: (done: ReadonlySet<number>) => JobOf<Op>) {
    this.#remaining = remaining;
  }

  get length(): number {
    return this.#done.size;
  }

  restart(automatic = false): JobOf<Op> {
    const job = this.#remaining(this.#done);
    return automatic ? { ...job, automatic } : job;
  }

  take(event: EventOf<Op>): EventOf<Op> {
    if ('places' in event) for (const place of event.places) this.#done.add(place);
    return event;
  }
}

/** For a transcription: the next engine continues from the end of the last window. */
export class HeardDelivery implements Delivery<'transcribe'> {
  readonly isRepeatable = true;
  readonly #job: JobOf<'transcribe'>;
  #from: HeardSoFar | undefined;
  length = 0;

  constructor(job: JobOf<'transcribe'>) {
    this.#job = job;
    this.#from = job.from;
  }

  restart(automatic = false): JobOf<'transcribe'> {
    const from = this.#from && { from: this.#from };
    return { ...this.#job, ...from, ...(automatic && { automatic }) };
  }

  take(event: EventOf<'transcribe'>): EventOf<'transcribe'> {
    this.length++;
    if (event.type === 'heard') this.#from = afterHearing(this.#from, event);
    return event;
  }
}

/** Where the next window begins, and its language. */
export function afterHearing(
  from: HeardSoFar | undefined,
  { until, language = from?.language }: Extract<TranscribeEvent, { type: 'heard' }>,
): HeardSoFar {
  return { seconds: until, ...(language !== undefined && { language }) };
}

/** For a job whose events no engine repeats. */
export class SingleDelivery<Op extends Operation> implements Delivery<Op> {
  readonly #job: JobOf<Op>;
  length = 0;

  constructor(job: JobOf<Op>) {
    this.#job = job;
  }

  get isRepeatable(): boolean {
    return this.length === 0;
  }

  restart(automatic = false): JobOf<Op> {
    return automatic ? { ...this.#job, automatic } : this.#job;
  }

  take(event: EventOf<Op>): EventOf<Op> {
    this.length++;
    return event;
  }
}
