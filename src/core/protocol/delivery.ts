import type { Job, JobEvent } from './engine.ts';

/** What of a job's events has been delivered, for when its engine ends and another takes the job over. */
export interface Delivery {
  /** Whether another engine can go on from here. */
  readonly isRepeatable: boolean;
  /** Grows with everything that is delivered. */
  readonly length: number;
  /** The job for another engine, which begins with it now. */
  restart(): Job;
  /**
   * @returns what of the event is new; undefined where all of it has been delivered
   * @throws ApiError 500 when the events are not those that were begun with
   */
  take(event: JobEvent): JobEvent | undefined;
}

/** Of a job whose events no engine gives a second time. */
export class SingleDelivery implements Delivery {
  readonly #job: Job;
  length = 0;

  constructor(job: Job) {
    this.#job = job;
  }

  get isRepeatable(): boolean {
    return this.length === 0;
  }

  restart(): Job {
    return this.#job;
  }

  take(event: JobEvent): JobEvent {
    this.length++;
    return event;
  }
}
