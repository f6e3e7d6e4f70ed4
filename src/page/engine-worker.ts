import type { EngineConfig, FromEngineWorker, ToEngineWorker } from '../core/messages.ts';
import { isLockHeld, webLocks } from '../core/web-lock.ts';

/** The worker that hosts the engine, from when it is made until it ends, however it does. */
export class EngineWorker {
  readonly #worker: Worker;
  readonly #alive = Promise.withResolvers<string | undefined>();
  #isEnded = false;

  constructor(config: EngineConfig) {
    this.#worker = new Worker(new URL('engine.js', config.base), {
      type: 'module',
      name: 'slashv1 engine',
    });
    this.#worker.addEventListener('error', () => this.end());
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromEngineWorker>) => {
      if (data.type === 'slashv1:alive') this.#begin(data.lock);
      else this.end();
    });
    this.#post({ type: 'slashv1:configure', config });
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** Resolves with the Web Lock of a living worker; with undefined when it could not start or is over. */
  async lock(): Promise<string | undefined> {
    const lock = await this.#alive.promise;
    if (lock === undefined || this.#isEnded) return undefined;
    // A worker that was killed has no event for it; others may know of it sooner than this page.
    if (await isLockHeld(lock)) return lock;
    this.end();
    return undefined;
  }

  attach(port: MessagePort): void {
    this.#post({ type: 'slashv1:attach' }, port);
  }

  /** Its lock is released with it: its clients notice, and ask for another engine. */
  end(): void {
    this.#isEnded = true;
    this.#alive.resolve(undefined);
    this.#worker.terminate();
  }

  #begin(lock: string): void {
    this.#alive.resolve(lock);
    webLocks.watch(lock, () => this.end());
  }

  #post(message: ToEngineWorker, ...ports: MessagePort[]): void {
    this.#worker.postMessage(message, ports);
  }
}
