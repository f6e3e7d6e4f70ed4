import { SingleDelivery } from '../core/protocol/delivery.ts';
import { EngineClient } from '../core/protocol/engine-client.ts';
import type { Engine } from '../core/protocol/engine.ts';
import type { EventOf } from '../core/protocol/events.ts';
import type { JobOf, Operation } from '../core/protocol/jobs.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import { survive } from '../core/protocol/survive.ts';
import { requestPort } from './engine-port.ts';

/** A page's connection to the engine host, which any tab may be: the service worker relays the port. */
export class EngineConnection implements Engine {
  readonly #registration: Promise<ServiceWorkerRegistration>;
  readonly #stopping: AbortSignal;
  #attempt: Promise<EngineClient> | undefined;
  #client: EngineClient | undefined;

  /**
   * @param registration - may be pending
   * @param stopping - closes the connection for good
   */
  constructor(registration: Promise<ServiceWorkerRegistration>, stopping: AbortSignal) {
    this.#registration = registration;
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.#client?.close(), { once: true });
  }

  async *run<Op extends Operation>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncGenerator<EventOf<Op>, void, undefined> {
    yield* survive((waiting) => this.connect(waiting), new SingleDelivery<Op>(job), signal);
  }

  /**
   * All callers share one attempt, which continues when one of them aborts.
   *
   * @throws the reason of `stopping` once that has aborted
   */
  async connect(signal: AbortSignal): Promise<EngineClient> {
    this.#stopping.throwIfAborted();
    const attempt = (this.#attempt ??= this.#connect());
    // A caller that notices late must not discard the next attempt.
    const forget = () => {
      if (this.#attempt === attempt) this.#attempt = undefined;
    };
    attempt.catch(forget);
    const client = await orAborted(attempt, signal);
    if (!client.isGone) return client;
    forget();
    return this.connect(signal);
  }

  async #connect(): Promise<EngineClient> {
    const { port, lock } = await requestPort(await this.#registration, this.#stopping);
    const client = new EngineClient(port, lock);
    this.#client = client;
    if (this.#stopping.aborted) client.close();
    await client.ready;
    return client;
  }
}
