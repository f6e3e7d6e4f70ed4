import { EngineClient } from '../core/protocol/engine-client.ts';
import type { Engine } from '../core/protocol/engine.ts';
import type { EventOf } from '../core/protocol/events.ts';
import type { JobOf, Operation } from '../core/protocol/jobs.ts';
import type { EngineConfig, ToPage, ToServiceWorker } from '../core/protocol/messages.ts';
import { EngineWorker } from './engine-worker.ts';
import { standBy } from './standby.ts';

/**
 * Stands for election among the tabs of a deployment; the leader's tab hosts the engine worker.
 * A Web Lock elects: it is released by the browser when its tab closes, navigates or crashes, and
 * a tab that holds or awaits one is not frozen. By another lock one tab at a time waits for it: the
 * heir, which can prepare for leading.
 */
export class Leader implements Engine {
  readonly #registration: Promise<ServiceWorkerRegistration>;
  readonly #present: Engine;
  readonly #config: EngineConfig;
  readonly #stop = new AbortController();
  #worker: EngineWorker | undefined;

  /**
   * @param registration - may be still to come: the engine's worker does not wait for it
   * @param present - the engine of whichever tab leads
   */
  constructor(
    registration: Promise<ServiceWorkerRegistration>,
    present: Engine,
    config: EngineConfig,
  ) {
    this.#registration = registration;
    this.#present = present;
    this.#config = config;
  }

  /** Returns at once; this tab leads from some time on, or never. */
  stand(): void {
    this.#withLock('heir', () => this.#inherit()).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) throw error;
    });
  }

  /** Gives up leading or waiting to: the engine worker ends, another tab takes over. */
  resign(): void {
    this.#stop.abort();
    this.#worker?.end();
  }

  #withLock(name: string, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop;
    return navigator.locks.request(`slashv1:${name}:${this.#config.base}`, { signal }, work);
  }

  /** Resolves when this tab leads: another is the heir then. */
  #inherit(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = new AbortController();
    const lead = () => {
      waiting.abort();
      resolve();
      return this.#lead();
    };
    this.#withLock('leader', lead).catch(reject);
    if (this.#config.standby) {
      const until = AbortSignal.any([waiting.signal, this.#stop.signal]);
      standBy(this.#present, this, until);
    }
    return promise;
  }

  /** A job of this tab's own engine, whether it is everyone's or not yet. */
  async *run<Op extends Operation>(
    job: JobOf<Op>,
    signal: AbortSignal,
  ): AsyncGenerator<EventOf<Op>, void, undefined> {
    const host = await this.#attach();
    if (!host) return;
    const client = new EngineClient(host.port, host.lock);
    try {
      yield* client.run(job, signal);
    } finally {
      client.close();
    }
  }

  async #lead(): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const onMessage = ({ data }: MessageEvent<ToPage>) => {
      if (data.type === 'slashv1:port-wanted') void this.#handOut(data.for);
    };
    navigator.serviceWorker.addEventListener('message', onMessage, { signal });
    // The service worker may be waiting for the new leader, or still hold the old one's port.
    void this.#handOut(null);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }

  /** A new port to the engine, for a client of the service worker or for itself (null). */
  async #handOut(client: string | null): Promise<void> {
    const [host, registration] = await Promise.all([
      this.#attach(),
      // Where there is none, start() has said so and this leader resigns.
      this.#registration.catch(() => undefined),
    ]);
    // One that cannot even start is tried again when somebody asks again.
    if (!host) return;
    const message: ToServiceWorker = { type: 'slashv1:port', for: client, lock: host.lock };
    registration?.active?.postMessage(message, [host.port]);
  }

  /** A new port to a worker that lives, and that one's lock. */
  async #attach(): Promise<{ port: MessagePort; lock: string } | undefined> {
    const found = await this.#livingWorker();
    if (!found) return undefined;
    const { port1, port2 } = new MessageChannel();
    found.worker.attach(port1);
    return { port: port2, lock: found.lock };
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
