import { PageFailure, type BridgePage, type StartRequest } from './bridge-page.ts';
import type { Chromium } from './chromium.ts';
import { Deferred } from './deferred.ts';
import type { PageDoor } from './page-door.ts';

export interface HeadlessPageOptions {
  door: Pick<PageDoor, 'invite'>;
  /** Starts a browser with the page, which is to connect with this token. */
  launch: (token: string) => Chromium;
  start: StartRequest;
  log: (text: string) => void;
  /** Until the page must have connected, milliseconds. What follows, such as a download, takes its time. */
  connectMs?: number;
}

/** Deaths in a row, without the page having served for a while in between, until we give up. */
const MAX_DEATHS = 3;
/** A page that served that long, milliseconds, was not broken from the start. */
const STABLE_MS = 60_000;
const CONNECT_MS = 60_000;

/** A page in a headless browser that is started again when it dies. */
export class HeadlessPage {
  readonly #options: HeadlessPageOptions;
  #ready = new Deferred<BridgePage>();

  constructor(options: HeadlessPageOptions) {
    this.#options = options;
  }

  /** The page, when it can answer; rejects when there will be none any more. */
  page(): Promise<BridgePage> {
    return this.#ready.promise;
  }

  /**
   * Keeps the page alive until the signal aborts.
   *
   * @param onReady - called once, when requests can first be answered
   * @throws Error when it cannot be started, or has died too often
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
    for (let deaths = 0; !signal.aborted;) {
      const { cause, servedMs } = await this.#live(signal);
      if (signal.aborted) return;
      if (deaths === 0 && cause instanceof PageFailure) throw cause;
      deaths = servedMs >= STABLE_MS ? 1 : deaths + 1;
      if (deaths > MAX_DEATHS) throw cause;
      this.#options.log(`${cause.message}\nStarting it again (${deaths} of ${MAX_DEATHS}).`);
    }
  }

  /** One browser, from its start to its end. */
  async #live(signal: AbortSignal): Promise<Life> {
    const { door, launch, start, connectMs = CONNECT_MS } = this.#options;
    const { token, page: connecting } = door.invite();
    const browser = launch(token);
    const end = Promise.race([browser.exited, aborted(signal)]);
    try {
      const page = await inTime(unlessEnded(connecting, end), connectMs, browser);
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
  /** How long it could answer, milliseconds. */
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

/** A page that is no end of a bridge will not become one by being started again. */
async function inTime<T>(promise: Promise<T>, ms: number, browser: Chromium): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `The page did not connect within ${ms / 1000} s. Is it the one of slashv1?`;
    const fail = () => reject(new PageFailure(withLastErrors(message, browser)));
    timer = setTimeout(fail, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the page itself says needs no explanation; for the rest, the browser's last words may be one. */
function explained(cause: unknown, browser: Chromium): Error {
  if (cause instanceof PageFailure) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Error(withLastErrors(message, browser), { cause });
}

function withLastErrors(message: string, browser: Chromium): string {
  return [message, browser.lastErrors()].filter(Boolean).join('\n');
}
