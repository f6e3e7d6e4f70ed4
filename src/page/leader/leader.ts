import { EngineClient } from '../../core/port/engine-client.ts';
import type { HostPort } from '../../core/port/engine-port.ts';
import type { Engine, Take } from '../../core/port/engine.ts';
import type { EventOf } from '../../core/operations/events/events.ts';
import type { JobOf, Operation } from '../../core/operations/jobs/jobs.ts';
import {
  electionLock,
  type EngineConfig,
  type ToPage,
  type ToServiceWorker,
} from '../../core/realms/messages.ts';
import { tabChannel, type TabMessage } from '../../core/port/tab-messages.ts';
import { EngineWorker } from './engine-worker.ts';
import { loadOutliving, loadPageApi } from '../api/page-api.ts';
import { serviceWorkers } from '../platform.ts';
import { registeredAt } from '../worker/register.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** What a tab needs to lead. */
export interface LeaderOptions {
  /** May be pending: the engine worker does not wait for it. Undefined: this page registers nothing. */
  registration: Promise<ServiceWorkerRegistration> | undefined;
  /** The engine of whichever tab leads. */
  present: Engine;
  config: EngineConfig;
}

/**
 * A candidate for leader among the tabs of a deployment; the leader's tab hosts the engine worker. A Web
 * Lock elects the leader: the browser releases it when the tab closes, navigates or crashes, and does not
 * freeze a tab that holds or awaits one. A second lock lets one tab at a time wait for the first: the heir,
 * which can prepare to lead.
 */
export class Leader implements Engine {
  readonly #options: LeaderOptions;
  readonly #stopping: AbortSignal;
  /** Resolves when this tab leads. */
  readonly #leads = Promise.withResolvers<true>();
  #worker: Promise<EngineWorker> | undefined;

  /**
   * @param stopping - its abort withdraws this tab: the engine worker ends, and another tab leads
   */
  constructor(options: LeaderOptions, stopping: AbortSignal) {
    this.#options = options;
    this.#stopping = stopping;
    const { base, outlive } = options.config;
    // If it fails, `#newWorker` says why.
    if (outlive) loadOutliving(base).catch(() => undefined);
    const end = async () => (await this.#worker)?.end();
    stopping.addEventListener('abort', () => void end().catch(() => undefined));
  }

  /** Makes this tab a candidate, and returns at once. The tab becomes the leader later, or never. */
  stand(): void {
    this.#withLock('heir', () => this.#inherit()).catch((error: unknown) => {
      // If the browser denies locks, start() fails with a better error.
      if (!this.#stopping.aborted && !isDenied(error)) throw error;
    });
  }

  /** Runs a job on this tab's own engine, whether the tab leads or not. */
  async run<Op extends Operation>(
    job: JobOf<Op>,
    signal: AbortSignal,
    take: Take<EventOf<Op>>,
  ): Promise<void> {
    const host = await this.#attach();
    if (!host) return;
    const client = new EngineClient(host.port, host.lock);
    try {
      await client.run(job, signal, take);
    } finally {
      client.close();
    }
  }

  /**
   * A port to the engine, if this tab leads.
   *
   * @param other - until it is settled, this tab may yet become the leader
   */
  async port(other?: Promise<unknown>): Promise<HostPort | undefined> {
    const leads = await Promise.race([this.#leads.promise, other]);
    return leads === true ? this.#attach() : undefined;
  }

  #withLock(name: 'leader' | 'heir', work: () => Promise<void>): Promise<void> {
    const { base } = this.#options.config;
    const options = { signal: this.#stopping };
    return navigator.locks.request(electionLock(name, base), options, work);
  }

  /** Resolves when this tab leads, so that another can become the heir. */
  #inherit(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = new AbortController();
    const lead = () => {
      waiting.abort();
      resolve();
      return this.#lead();
    };
    this.#withLock('leader', lead).catch(reject);
    const { config } = this.#options;
    if (config.standby) {
      const signal = AbortSignal.any([waiting.signal, this.#stopping]);
      const stand = async () =>
        (await loadPageApi(config.base)).standBy(this.#options, this, signal);
      // Without a standby, the models are loaded when they are needed.
      stand().catch(() => undefined);
    }
    return promise;
  }

  async #lead(): Promise<void> {
    const signal = this.#stopping;
    const { base } = this.#options.config;
    if (signal.aborted) return;
    const onMessage = ({ data }: MessageEvent<ToPage | null>) => {
      if (data?.type === 'slashv1:port-wanted' && data.base === base) {
        this.#handOut(data.for, data.nonce).catch(() => undefined);
      }
    };
    serviceWorkers()?.addEventListener('message', onMessage, { signal });
    this.#leads.resolve(true);
    const closeChannel = this.#openChannel();
    // The service worker may be waiting for a leader, or hold a port of the previous one.
    // If the engine cannot be started, start() says why.
    if (this.#options.registration) this.#handOut(null).catch(() => undefined);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    closeChannel();
  }

  /** Answers tabs that cannot ask the service worker, until the returned function is called. */
  #openChannel(): () => void {
    const { base } = this.#options.config;
    const tabs = tabChannel(base);
    const answer = async (nonce: string) =>
      (await loadPageApi(base)).answerTab(nonce, () => this.#attach());
    tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      // The tab repeats a request that is not answered.
      if (data.type === 'slashv1:connect') void answer(data.nonce).catch(() => undefined);
    };
    const message: TabMessage = { type: 'slashv1:leads' };
    tabs.postMessage(message);
    return () => tabs.close();
  }

  /**
   * Sends the service worker a new port to the engine, or the reason why there is none. Without a known reason, nothing
   * is sent: the next request tries again.
   *
   * @param client - the page that asked, with this nonce; null: the service worker itself
   */
  async #handOut(client: string | null, nonce?: string): Promise<void> {
    const { registration, config } = this.#options;
    const [host, registered] = await Promise.all([
      this.#attach().catch(messageOf),
      // If the registration failed, start() reports that and stops this leader.
      (registration ?? registeredAt(config.base)).catch(() => undefined),
    ]);
    if (!host) return;
    const post = (message: ToServiceWorker, ...ports: MessagePort[]) =>
      registered?.active?.postMessage(message, ports);
    if (typeof host === 'string') {
      post({ type: 'slashv1:no-port', for: client, nonce, message: host });
    } else {
      post({ type: 'slashv1:port', for: client, nonce, lock: host.lock }, host.port);
    }
  }

  /**
   * @param isNew - whether the worker has just been made
   * @throws StartError `engine_failed` if no worker can be started
   */
  async #attach(isNew = false): Promise<HostPort<MessagePort> | undefined> {
    const made = this.#worker;
    const worker = await made;
    const lock = await worker?.lock();
    if (worker && lock !== undefined) {
      const { port1, port2 } = new MessageChannel();
      worker.attach(port1);
      return { port: port2, lock };
    }
    if (isNew) await throwFailure(worker);
    if (isNew || this.#stopping.aborted) return undefined;
    // Several callers may find that the worker has ended. The first of them replaces it.
    if (this.#worker === made) this.#worker = this.#newWorker();
    return this.#attach(true);
  }

  async #newWorker(): Promise<EngineWorker> {
    const { config } = this.#options;
    if (!config.outlive) return new EngineWorker(config);
    const { outlivingWorkers } = await loadOutliving(config.base);
    return new EngineWorker(config, await outlivingWorkers(config, this.#stopping));
  }
}

async function throwFailure(worker: EngineWorker | undefined): Promise<void> {
  const failure = await worker?.failure();
  if (failure) throw failure;
}

function isDenied(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'SecurityError';
}
