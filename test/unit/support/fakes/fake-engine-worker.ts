import type { Engine } from '../../../../src/core/port/engine.ts';
import type {
  EngineConfig,
  FromEngineWorker,
  ToEngineWorker,
} from '../../../../src/core/realms/messages.ts';
import { holdWebLock } from '../../../../src/core/port/web-lock.ts';
import { VERSION } from '../../../../src/core/version.ts';
import { serveEngine } from '../../../../src/core/port/engine-host.ts';

const IDLE: Engine = { run: () => Promise.resolve() };

/** Stands in for the browser's `Worker`: hosts a test's engine as `engine.js` does the real one. */
export class FakeEngineWorker extends EventTarget {
  /** All workers that were made since the last reset, in order. */
  static made: FakeEngineWorker[] = [];
  /** Version of the script. */
  static version = VERSION;
  /** Engine that the next workers host. */
  static engine: Engine = IDLE;

  static reset(): void {
    for (const worker of FakeEngineWorker.made) worker.terminate();
    FakeEngineWorker.made = [];
    FakeEngineWorker.engine = IDLE;
    FakeEngineWorker.version = VERSION;
  }

  readonly url: string;
  readonly lock = `slashv1:engine:${crypto.randomUUID()}`;
  readonly #engine = FakeEngineWorker.engine;
  readonly #begun: Promise<() => void>;
  readonly #open = new Set<MessagePort>();
  config: EngineConfig | undefined;
  /** Locks of the engines that pages have ended, from the last message about them. */
  ended: string[] | undefined;
  isTerminated = false;

  constructor(url: string) {
    super();
    this.url = url;
    this.#begun = holdWebLock(this.lock);
    void this.#begun.then(() =>
      this.#say({ type: 'slashv1:alive', lock: this.lock, version: FakeEngineWorker.version }),
    );
    FakeEngineWorker.made.push(this);
  }

  /** How many of its clients' ports are open. */
  get openPorts(): number {
    return this.#open.size;
  }

  postMessage(message: ToEngineWorker, [port]: MessagePort[]): void {
    switch (message.type) {
      case 'slashv1:configure':
        this.config = message.config;
        break;
      case 'slashv1:ended':
        this.ended = message.locks;
        break;
      case 'slashv1:ping':
        this.#say({ type: 'slashv1:pong' });
        break;
      case 'slashv1:attach':
        if (port) this.#attach(port);
        break;
      case 'slashv1:end':
        this.terminate();
        break;
      case 'slashv1:worker-failed':
        throw new Error('A fake engine has no workers.');
    }
  }

  terminate(): void {
    this.isTerminated = true;
    for (const port of this.#open) port.close();
    void this.#begun.then((release) => release());
  }

  #attach(port: MessagePort): void {
    this.#open.add(port);
    port.addEventListener('close', () => this.#open.delete(port));
    serveEngine(port, this.#engine);
  }

  #say(data: FromEngineWorker): void {
    if (!this.isTerminated) this.dispatchEvent(new MessageEvent('message', { data }));
  }
}
