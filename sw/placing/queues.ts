import { onlyEvent } from '../../src/core/port/engine.ts';
import type { JobContext } from '../road/running-job.ts';
import { passing } from '../http/passing-body.ts';
import { queueTooLong } from './route-errors.ts';

type EngineContext = Pick<JobContext, 'engine' | 'signal'>;

/** Leaves a queue: now, or when the response's body has ended. */
export interface Leave {
  now(): void;
  with(response: Response): Response;
}

/** Counts the requests that wait for each model or are being answered by it. */
export class Queues {
  /** The requests that have entered here. The engine does not know of a request at once. */
  readonly #entered = new Map<string, number>();

  /** @throws ApiError 503 if at least `most` requests wait for the model or are being answered by it */
  async enter(model: string, context: EngineContext, most = Infinity): Promise<Leave> {
    const known = most === Infinity ? 0 : await requestsWith(model, context);
    const before = Math.max(known, this.#entered.get(model) ?? 0);
    if (before >= most) throw queueTooLong(before);
    this.#add(model, 1);
    let isIn = true;
    const now = () => {
      if (isIn) this.#add(model, -1);
      isIn = false;
    };
    return {
      now,
      with: (response) => {
        if (response.body) return new Response(passing(response.body, { onEnd: now }), response);
        now();
        return response;
      },
    };
  }

  #add(model: string, count: number): void {
    const sum = (this.#entered.get(model) ?? 0) + count;
    if (sum > 0) this.#entered.set(model, sum);
    else this.#entered.delete(model);
  }
}

async function requestsWith(model: string, { engine, signal }: EngineContext): Promise<number> {
  return (await onlyEvent(engine, { op: 'metrics', models: [model] }, signal)).requests;
}
