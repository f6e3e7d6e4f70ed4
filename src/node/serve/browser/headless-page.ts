import { inTime } from '../../../core/async/in-time.ts';
import { PageFailure, type BridgePage, type StartRequest } from '../bridge/bridge-page.ts';
import type { Chromium } from './chromium.ts';
import type { PageDoor } from '../bridge/page-door.ts';
import { messageOf } from '../../../core/text/message-of.ts';

export interface HeadlessPageOptions {
  door: Pick<PageDoor, 'invite'>;
  /** Starts a browser with the page, which must connect with this token. */
  launch: (token: string) => Chromium;
  start: StartRequest;
  log: (text: string) => void;
  /** The page must connect within this time, milliseconds. Downloading and loading have no limit. */
  connectMs?: number;
}

/** After this many restarts in a row, the next crash is final. */
const MAX_RESTARTS = 3;
/** If a page served for this long, milliseconds, restarts are counted from one again. */
const STABLE_MS = 60_000;
const CONNECT_MS = 60_000;

/** A page in a headless browser that is restarted when it crashes. */
export class HeadlessPage {
  readonly #options: HeadlessPageOptions;
  #ready = new Deferred<BridgePage>();

  constructor(options: HeadlessPageOptions) {
    this.#options = options;
  }

  /** Resolves with the page when it can answer. Rejects when the server is ending. */
  page(): Promise<BridgePage> {
    return this.#ready.promise;
  }

  /**
   * Keeps the page running until the signal aborts.
   *
   * @param onReady - called once, when the page can answer for the first time
   * @throws Error if the page cannot be started, or has crashed too often
   */
  async run(onReady: () => void, signal: AbortSignal): Promise<void> {
    this.page().then(onReady, () => {});
    try {
      await this.#keepAlive(signal);
    } finally {
      this.#ready.reject(new Error('The server is ending.'));
    }
  }

  async #keepAlive(signal: AbortSignal): Promise<void> {
    for (let restarts = 0; !signal.aborted;) {
      const { cause, servedMs } = await this.#live(signal);
      if (signal.aborted) return;
      if (restarts === 0 && cause instanceof PageFailure) throw cause;
      restarts = servedMs >= STABLE_MS ? 1 : restarts + 1;
      if (restarts > MAX_RESTARTS) throw cause;
      this.#options.log(`${cause.message}\nRestarting it (${restarts} of ${MAX_RESTARTS}).`);
    }
  }

  /** One browser, from its start to its end. */
  async #live(signal: AbortSignal): Promise<Life> {
    const { door, launch, start, connectMs = CONNECT_MS } = this.#options;
    const { token, page: connecting } = door.invite();
    const browser = launch(token);
    const end = Promise.race([browser.exited, aborted(signal)]);
    try {
      const page = await inTime(unlessEnded(connecting, end), connectMs, () =>
        notConnected(connectMs, browser),
      );
      await unlessEnded(page.start(start), end);
      const life = await this.#serve(page, end);
      return { ...life, cause: explained(life.cause, browser) };
    } catch (error) {
      return { cause: explained(error, browser), servedMs: 0 };
    } finally {
      await browser.stop();
    }
  }

  async #serve(page: BridgePage, end: Promise<string>): Promise<Life> {
    const since = performance.now();
    this.#ready.resolve(page);
    const how = await Promise.race([page.closed.then(() => 'The page crashed.'), end]);
    this.#ready = new Deferred();
    return { cause: new Error(how), servedMs: performance.now() - since };
  }
}

interface Life {
  /** Why it ended. */
  cause: Error;
  /** How long it answered requests, milliseconds. */
  servedMs: number;
}

function aborted(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve('Ended by request.'), { once: true });
  });
}

async function unlessEnded<T>(promise: Promise<T>, end: Promise<string>): Promise<T> {
  const ended = end.then((how) => Promise.reject(new Error(how)));
  return Promise.race([promise, ended]);
}

/** If the page does not connect, it is probably another page: restarting it would not help. */
function notConnected(ms: number, browser: Chromium): PageFailure {
  const message = `The page did not connect within ${ms / 1000} s. Is it a page of slashv1?`;
  return new PageFailure(withLastErrors(message, browser));
}

/** A failure that the page reports explains itself. To others, the browser's last errors are added. */
function explained(cause: unknown, browser: Chromium): Error {
  if (cause instanceof PageFailure) return cause;
  const message = messageOf(cause);
  return new Error(withLastErrors(message, browser), { cause });
}

function withLastErrors(message: string, browser: Chromium): string {
  return [message, browser.lastErrors()].filter(Boolean).join('\n');
}

/** A promise that is settled from outside. Its rejection need not be handled. */
class Deferred<T> {
  readonly promise: Promise<T>;
  #settle: { resolve(value: T): void; reject(error: Error): void } | undefined;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.promise.catch(() => {});
  }

  resolve(value: T): void {
    this.#settle?.resolve(value);
  }

  reject(error: Error): void {
    this.#settle?.reject(error);
  }
}
