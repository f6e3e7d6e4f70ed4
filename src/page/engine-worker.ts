import type { EngineConfig, FromEngineWorker, ToEngineWorker } from '../core/protocol/messages.ts';
import { isLockHeld, webLocks } from '../core/protocol/web-lock.ts';

/**
 * How long its script may take to come and to begin, milliseconds. Where a crash took the service worker
 * along, Chromium was seen to begin a worker that never came, without an error.
 */
const START_MS = 30_000;
/** How often it is asked whether it still works, milliseconds. */
const PING_MS = 10_000;
/**
 * How many questions may stay unanswered before it counts as hung: two minutes' worth, for compiling a
 * large grammar keeps a worker busy for some of that. Counted, not timed: a computer may have slept.
 */
const MAX_UNANSWERED = 12;

/** Workers since the last one that began. */
let attempts = 0;

/** The worker that hosts the engine, from when it is made until it ends, however it does. */
export class EngineWorker {
  readonly #worker: Worker;
  readonly #alive = Promise.withResolvers<string | undefined>();
  #isEnded = false;
  #unanswered = 0;
  /** Ends one that does not begin; then asks whether it still works. */
  #timer: ReturnType<typeof setTimeout>;

  constructor(config: EngineConfig) {
    // Each has twice as long: the network may be slow.
    const startMs = START_MS * 2 ** attempts++;
    this.#timer = setTimeout(() => this.end(), startMs);
    this.#worker = new Worker(new URL('engine.js', config.base), {
      type: 'module',
      name: 'slashv1 engine',
    });
    this.#worker.addEventListener('error', () => this.end());
    this.#worker.addEventListener('message', ({ data }: MessageEvent<FromEngineWorker>) => {
      switch (data.type) {
        case 'slashv1:alive':
          this.#begin(data.lock);
          break;
        case 'slashv1:pong':
          this.#unanswered = 0;
          break;
        case 'slashv1:broken':
          this.end();
          break;
      }
    });
    this.#post({ type: 'slashv1:configure', config });
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
    clearTimeout(this.#timer);
    this.#alive.resolve(undefined);
    this.#worker.terminate();
  }

  #begin(lock: string): void {
    attempts = 0;
    clearTimeout(this.#timer);
    this.#alive.resolve(lock);
    webLocks.watch(lock, () => this.end());
    if (!this.#isEnded) this.#timer = setInterval(() => this.#ping(), PING_MS);
  }

  #ping(): void {
    if (this.#unanswered++ < MAX_UNANSWERED) this.#post({ type: 'slashv1:ping' });
    else this.end();
  }

  #post(message: ToEngineWorker, ...ports: MessagePort[]): void {
    this.#worker.postMessage(message, ports);
  }
}
