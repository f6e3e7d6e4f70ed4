import { pagesLock } from '../../core/realms/messages.ts';
import { isLockHeld, whileFree } from '../../core/port/web-lock.ts';
import { VERSION } from '../../core/version.ts';
import { tabChannel, type TabMessage } from '../../core/port/tab-messages.ts';

type Listener = (event: MessageEvent) => void;

/** A worker's connection to the page that started it or, in a SharedWorker, to the one that connected last. */
export interface PageScope {
  addEventListener(type: 'message', listener: Listener): void;
  removeEventListener(type: 'message', listener: Listener): void;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}

/** The global scope of a SharedWorker. */
export interface SharedScope {
  addEventListener(type: 'connect', listener: Listener): void;
  close(): void;
}

/** The global scope of a worker. */
export type WorkerScope = PageScope | SharedScope;

/** How often an engine that outlives its pages looks for them, milliseconds. */
const LOOK_MS = 5_000;
/** After seeing none so many times, which is half a minute, the engine ends. */
const MOST_ABSENCES = 6;

export function isSharedWorker(scope: WorkerScope): scope is SharedScope {
  return 'onconnect' in scope;
}

/** @param scope - the worker's global scope, while its script is run: a page may connect at once */
export function pageScope(scope: WorkerScope): PageScope {
  return isSharedWorker(scope) ? new LastPage(scope) : scope;
}

/** The page that connected last to a SharedWorker. The one before has gone, or leads no longer. */
class LastPage implements PageScope {
  readonly #listeners = new Set<Listener>();
  #page: MessagePort | undefined;

  constructor(scope: SharedScope) {
    scope.addEventListener('connect', ({ ports: [page] }) => {
      if (!page) return;
      this.#page = page;
      page.onmessage = (event: MessageEvent) => {
        for (const listener of this.#listeners) listener(event);
      };
    });
  }

  addEventListener(_type: 'message', listener: Listener): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'message', listener: Listener): void {
    this.#listeners.delete(listener);
  }

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    this.#page?.postMessage(message, transfer);
  }
}

/**
 * Ends a SharedWorker a while after the last of its pages has gone: visitors do not expect that a site computes, or holds
 * gigabytes, when it is closed. It ends at once if a page leads then that has an engine of another version.
 *
 * @param base - URL of the engine's folder
 */
export function endAfterPages(scope: Pick<SharedScope, 'close'>, base: string): void {
  const pages = pagesLock(base);
  // A page that comes back in between waits until this worker has ended, and starts another.
  const end = () =>
    whileFree(pages, () => {
      scope.close();
      return new Promise(() => undefined);
    });
  let absences = 0;
  const look = async () => {
    absences = (await isLockHeld(pages)) ? 0 : absences + 1;
    if (absences >= MOST_ABSENCES) await end();
  };
  setInterval(() => void look(), LOOK_MS);
  tabChannel(base).onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'slashv1:outliving' && data.version !== VERSION) void end();
  };
}
