import type { JobEvent } from '../operations/events.ts';
import type { Operation } from '../operations/jobs.ts';
import type { FromHost } from './port-messages.ts';

/** Their answers are sent when they are complete: nobody reads the events one by one. */
const GATHERED = new Set<Operation>(['embed', 'rerank']);

/** Whether the events of these jobs may wait for each other. */
export function isGathered(op: Operation): boolean {
  return GATHERED.has(op);
}

/**
 * Sends the events of one job. Each message wakes the client's thread, which costs more than the event itself. So the
 * events of a job that gathers are sent together: those that follow each other at once, and the end of the job with them.
 */
export class EventSender {
  readonly #id: number;
  readonly #post: (message: FromHost | FromHost[]) => void;
  readonly #gathers: boolean;
  #held: FromHost[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(id: number, post: (message: FromHost | FromHost[]) => void, gathers: boolean) {
    this.#id = id;
    this.#post = post;
    this.#gathers = gathers;
  }

  event(event: JobEvent): void {
    const message: FromHost = { type: 'event', id: this.#id, event };
    if (!this.#gathers) return this.#post(message);
    this.#held.push(message);
    this.#timer ??= setTimeout(() => this.#flush());
  }

  done(): void {
    this.#end({ type: 'done', id: this.#id });
  }

  failed(failure: Omit<Extract<FromHost, { type: 'failed' }>, 'type' | 'id'>): void {
    this.#end({ type: 'failed', id: this.#id, ...failure });
  }

  /** Nobody waits for the job any more. */
  cancelled(): void {
    this.#held = [];
    this.#flush();
  }

  #end(last: FromHost): void {
    if (this.#held.length === 0) return this.#post(last);
    this.#held.push(last);
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#held.length > 0) this.#post(this.#held);
    this.#held = [];
  }
}
