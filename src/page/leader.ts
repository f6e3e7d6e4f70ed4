import type {
  EngineConfig,
  FromEngineWorker,
  ToEngineWorker,
  ToPage,
  ToServiceWorker,
} from '../core/messages.ts';

/**
 * Stands for election among the tabs of a deployment; the leader's tab hosts the engine worker.
 * A Web Lock elects: it is released by the browser when its tab closes, navigates or crashes, and
 * a tab that holds or awaits one is not frozen.
 */
export class Leader {
  readonly #registration: ServiceWorkerRegistration;
  readonly #config: EngineConfig;
  readonly #stop = new AbortController();
  readonly #resigned = Promise.withResolvers<void>();
  #worker: Worker | undefined;

  constructor(registration: ServiceWorkerRegistration, config: EngineConfig) {
    this.#registration = registration;
    this.#config = config;
  }

  /** Returns at once; this tab leads from some time on, or never. */
  stand(): void {
    const lock = `slashv1:leader:${this.#config.base}`;
    navigator.locks
      .request(lock, { signal: this.#stop.signal }, () => this.#lead())
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted) throw error;
      });
  }

  /** Gives up leading or waiting to: the engine worker ends, another tab takes over. */
  resign(): void {
    this.#stop.abort();
    this.#resigned.resolve();
  }

  async #lead(): Promise<void> {
    const container = navigator.serviceWorker;
    const onMessage = ({ data }: MessageEvent<ToPage>) => {
      if (data.type === 'slashv1:port-wanted') this.#handOut(data.for);
    };
    container.addEventListener('message', onMessage);
    // The service worker may be waiting for the new leader, or still hold the old one's port.
    this.#handOut(null);
    await this.#resigned.promise;
    container.removeEventListener('message', onMessage);
    this.#worker?.terminate();
  }

  /** A new port to the engine, for a client of the service worker or for itself (null). */
  #handOut(client: string | null): void {
    const { port1, port2 } = new MessageChannel();
    this.#post({ type: 'slashv1:attach' }, port1);
    const message: ToServiceWorker = { type: 'slashv1:port', for: client };
    this.#registration.active?.postMessage(message, [port2]);
  }

  #post(message: ToEngineWorker, ...ports: MessagePort[]): void {
    this.#worker ??= this.#spawn();
    this.#worker.postMessage(message, ports);
  }

  #spawn(): Worker {
    const worker = new Worker(new URL('engine.js', this.#config.base), {
      type: 'module',
      name: 'slashv1 engine',
    });
    // Its lock is released with it: its clients notice, ask again, and get a new one.
    const replace = () => {
      worker.terminate();
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.addEventListener('error', replace);
    worker.addEventListener('message', ({ data }: MessageEvent<FromEngineWorker>) => {
      if (data.type === 'slashv1:broken') replace();
    });
    const configure: ToEngineWorker = { type: 'slashv1:configure', config: this.#config };
    worker.postMessage(configure);
    return worker;
  }
}
