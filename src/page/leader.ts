import type { EngineConfig, ToPage, ToServiceWorker } from '../core/messages.ts';
import { EngineWorker } from './engine-worker.ts';

/**
 * Stands for election among the tabs of a deployment; the leader's tab hosts the engine worker.
 * A Web Lock elects: it is released by the browser when its tab closes, navigates or crashes, and
 * a tab that holds or awaits one is not frozen.
 */
export class Leader {
  readonly #registration: Promise<ServiceWorkerRegistration>;
  readonly #config: EngineConfig;
  readonly #stop = new AbortController();
  readonly #resigned = Promise.withResolvers<void>();
  #worker: EngineWorker | undefined;

  /** @param registration - may be still to come: the engine's worker does not wait for it */
  constructor(registration: Promise<ServiceWorkerRegistration>, config: EngineConfig) {
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
      if (data.type === 'slashv1:port-wanted') void this.#handOut(data.for);
    };
    container.addEventListener('message', onMessage);
    // The service worker may be waiting for the new leader, or still hold the old one's port.
    void this.#handOut(null);
    await this.#resigned.promise;
    container.removeEventListener('message', onMessage);
    this.#worker?.end();
  }

  /** A new port to the engine, for a client of the service worker or for itself (null). */
  async #handOut(client: string | null): Promise<void> {
    const [found, registration] = await Promise.all([
      this.#livingWorker(),
      // Where there is none, start() has said so and this leader resigns.
      this.#registration.catch(() => undefined),
    ]);
    // One that cannot even start is tried again when somebody asks again.
    if (!found) return;
    const { port1, port2 } = new MessageChannel();
    found.worker.attach(port1);
    const message: ToServiceWorker = { type: 'slashv1:port', for: client, lock: found.lock };
    registration?.active?.postMessage(message, [port2]);
  }

  async #livingWorker(): Promise<{ worker: EngineWorker; lock: string } | undefined> {
    const present = this.#worker;
    const lock = await present?.lock();
    if (present && lock !== undefined) return { worker: present, lock };
    if (this.#stop.signal.aborted) return undefined;
    // Several may have found it ended: one of them makes the new one.
    if (this.#worker === present) this.#worker = new EngineWorker(this.#config);
    const worker = this.#worker;
    const newLock = await worker?.lock();
    return worker && newLock !== undefined ? { worker, lock: newLock } : undefined;
  }
}
