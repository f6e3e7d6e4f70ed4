import { orAborted } from '../async/or-aborted.ts';
import { EngineClient } from './engine-client.ts';
import type { Engine } from './engine.ts';
import type { Operation } from '../operations/jobs/jobs.ts';
import type { RequestPort } from '../realms/page-api.ts';
import { surviving, type NewDelivery } from './survive.ts';

/** A page's connection to the engine host, which may be in any tab. */
export class EngineConnection<Ops extends Operation = Operation> implements Engine<Ops> {
  readonly run: Engine<Ops>['run'];
  readonly #requestPort: RequestPort;
  readonly #stopping: AbortSignal;
  #attempt: Promise<EngineClient> | undefined;
  #client: EngineClient | undefined;

  /** @param stopping - closes the connection for good */
  constructor(requestPort: RequestPort, newDelivery: NewDelivery<Ops>, stopping: AbortSignal) {
    this.#requestPort = requestPort;
    this.run = surviving((waiting) => this.connect(waiting), newDelivery);
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.#client?.close(), { once: true });
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
    const { port, lock } = await this.#requestPort(this.#stopping);
    const client = new EngineClient(port, lock);
    this.#client = client;
    if (this.#stopping.aborted) client.close();
    await client.ready;
    return client;
  }
}
