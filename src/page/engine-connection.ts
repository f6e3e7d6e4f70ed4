import { EngineClient } from '../core/engine-client.ts';
import type { Engine, Job, JobEvent } from '../core/engine.ts';
import type { ToPage, ToServiceWorker } from '../core/messages.ts';
import { survive } from '../core/survive.ts';

/** After how long without a port it is asked for again, milliseconds: leaders and workers come and go. */
const RETRY_MS = 1_000;

/** A way to an engine host, and the Web Lock that it holds as long as it lives. */
interface HostPort {
  port: MessagePort;
  lock: string;
}

/** A page's way to the engine host, wherever it is: the service worker brings the two together. */
export class EngineConnection implements Engine {
  readonly #registration: ServiceWorkerRegistration;
  #client: Promise<EngineClient> | undefined;

  constructor(registration: ServiceWorkerRegistration) {
    this.#registration = registration;
  }

  async *run(job: Job, signal: AbortSignal): AsyncGenerator<JobEvent, void, undefined> {
    yield* survive((waiting) => this.connect(waiting), job, signal);
  }

  async connect(signal: AbortSignal): Promise<EngineClient> {
    this.#client ??= this.#connect(signal).catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    const client = await this.#client;
    if (!client.isGone) return client;
    this.#client = undefined;
    return this.connect(signal);
  }

  async #connect(signal: AbortSignal): Promise<EngineClient> {
    const { port, lock } = await this.#port(signal);
    const client = new EngineClient(port, lock);
    await client.ready;
    return client;
  }

  #port(signal: AbortSignal): Promise<HostPort> {
    const { promise, resolve, reject } = Promise.withResolvers<HostPort>();
    const container = navigator.serviceWorker;
    const onMessage = ({ data, ports }: MessageEvent<ToPage>) => {
      const [port] = ports;
      if (data.type === 'slashv1:port' && port) resolve({ port, lock: data.lock });
    };
    const onAbort = () => reject(signal.reason);
    const ask = () => {
      const message: ToServiceWorker = { type: 'slashv1:connect' };
      this.#registration.active?.postMessage(message);
    };
    container.addEventListener('message', onMessage);
    signal.addEventListener('abort', onAbort, { once: true });
    const timer = setInterval(ask, RETRY_MS);
    if (signal.aborted) onAbort();
    else ask();
    return promise.finally(() => {
      clearInterval(timer);
      container.removeEventListener('message', onMessage);
      signal.removeEventListener('abort', onAbort);
    });
  }
}
