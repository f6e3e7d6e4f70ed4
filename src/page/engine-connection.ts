import { SingleDelivery } from '../core/protocol/delivery.ts';
import { EngineClient } from '../core/protocol/engine-client.ts';
import type { Engine } from '../core/protocol/engine.ts';
import type { EventOf } from '../core/protocol/events.ts';
import type { JobOf, Operation } from '../core/protocol/jobs.ts';
import type { ToPage, ToServiceWorker } from '../core/protocol/messages.ts';
import { orAborted } from '../core/async/or-aborted.ts';
import { survive } from '../core/protocol/survive.ts';

/** After how long without a port it is asked for again, milliseconds: leaders and workers come and go. */
const RETRY_MS = 1_000;

/** A way to an engine host, and the Web Lock that it holds as long as it lives. */
interface HostPort {
  port: MessagePort;
  lock: string;
}

/** A page's way to the engine host, wherever it is: the service worker brings the two together. */
export class EngineConnection implements Engine {
  readonly #registration: Promise<ServiceWorkerRegistration>;
  readonly #stopping: AbortSignal;
  #client: Promise<EngineClient> | undefined;

  /**
   * @param registration - may be still to come
   * @param stopping - nobody will want a connection any more
   */
  constructor(registration: Promise<ServiceWorkerRegistration>, stopping: AbortSignal) {
    this.#registration = registration;
    this.#stopping = stopping;
  }

  async *run<Op extends Operation>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncGenerator<EventOf<Op>, void, undefined> {
    yield* survive((waiting) => this.connect(waiting), new SingleDelivery<Op>(job), signal);
  }

  /** All who want one share an attempt, which goes on when one of them leaves. */
  async connect(signal: AbortSignal): Promise<EngineClient> {
    const attempt = (this.#client ??= this.#connect());
    // Who hears of an end second must not end what the first has begun instead.
    const forget = () => {
      if (this.#client === attempt) this.#client = undefined;
    };
    attempt.catch(forget);
    const client = await orAborted(attempt, signal);
    if (!client.isGone) return client;
    forget();
    return this.connect(signal);
  }

  async #connect(): Promise<EngineClient> {
    const { port, lock } = await this.#port(await this.#registration);
    const client = new EngineClient(port, lock);
    await client.ready;
    return client;
  }

  #port(registration: ServiceWorkerRegistration): Promise<HostPort> {
    const { promise, resolve } = Promise.withResolvers<HostPort>();
    const container = navigator.serviceWorker;
    const onMessage = ({ data, ports }: MessageEvent<ToPage>) => {
      const [port] = ports;
      if (data.type === 'slashv1:port' && port) resolve({ port, lock: data.lock });
    };
    const ask = () => {
      const message: ToServiceWorker = { type: 'slashv1:connect' };
      registration.active?.postMessage(message);
    };
    container.addEventListener('message', onMessage);
    const timer = setInterval(ask, RETRY_MS);
    ask();
    return orAborted(promise, this.#stopping).finally(() => {
      clearInterval(timer);
      container.removeEventListener('message', onMessage);
    });
  }
}
