import {
  pagesLock,
  type EngineConfig,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../../core/realms/messages.ts';
import { workerScript } from '../../core/site/site-script.ts';
import { VERSION } from '../../core/version.ts';
import { tabChannel, type TabMessage } from '../../core/port/tab-messages.ts';
import { holdWebLock, webLocks } from '../../core/port/web-lock.ts';
import { inTime } from '../../core/async/in-time.ts';
import type { HostWorker, StartHostWorker } from './host-worker.ts';

/** How long such a worker may take to fetch its script and start, milliseconds. Then one of the page is used. */
const START_MS = 20_000;
/** How long the last engine may take to end, milliseconds. One that hangs never does. */
const END_MS = 2_000;

/** Web Locks of the engines that this page has ended. */
const ended = new Set<string>();

/**
 * Connects to the engine that outlives this folder's pages, or starts one. Pages that use it share a Web Lock until they
 * stop: the engine ends a while after the last one.
 *
 * @param stopping - its abort says that the page has stopped
 * @returns how to start the engine, which is running, and its models' workers; undefined: the browser has no such workers,
 *   or they do not start here
 */
export async function outlivingWorkers(
  config: EngineConfig,
  stopping: AbortSignal,
): Promise<StartHostWorker | undefined> {
  const script = new URL('engine.js', config.base);
  // Each page imports a script of another origin by a Blob of its own, so it would start a worker of its own.
  if (!browserHasThem() || script.origin !== origin) return undefined;
  if (!(await haveEnded())) return undefined;
  const leave = await holdWebLock(pagesLock(config.base), 'shared');
  stopping.addEventListener('abort', () => void leave(), { once: true });
  if (stopping.aborted) await leave();
  stopping.throwIfAborted();
  const tabs = tabChannel(config.base);
  const message: TabMessage = { type: 'slashv1:outliving', version: VERSION };
  tabs.postMessage(message);
  tabs.close();
  // The version is in the name: a worker of another build goes on running its code.
  const engine = new OutlivingWorker(script, `slashv1 engine ${VERSION} ${config.base}`, stopping);
  if (!(await engine.answers())) {
    engine.terminate();
    return undefined;
  }
  return (wanted, name) =>
    wanted.href === script.href
      ? engine
      : new OutlivingWorker(wanted, `${name} ${crypto.randomUUID()}`, stopping);
}

/** A browser that knows the option reads it; the address is of no script, so nothing is started. */
function browserHasThem(): boolean {
  let isRead = false;
  const options = {
    name: '',
    get extendedLifetime() {
      isRead = true;
      return true;
    },
  };
  try {
    const { port } = new SharedWorker('http://[', options);
    port.close();
  } catch {
    // This is no address. In some browsers, there are no such workers either.
  }
  return isRead;
}

/** Whether the engines that this page has ended are gone. A worker of the same name would be the one that is ending. */
function haveEnded(): Promise<boolean> {
  const gone = Array.from(ended, (lock) => new Promise<void>((free) => webLocks.watch(lock, free)));
  return isInTime(Promise.all(gone), END_MS);
}

/** Whether the promise resolves to anything but false soon enough. */
function isInTime(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return inTime(promise, ms, () => new Error('Too late.')).then(
    (result) => result !== false,
    () => false,
  );
}

/** A SharedWorker that outlives its pages, as a worker of this page. */
class OutlivingWorker extends EventTarget implements HostWorker {
  readonly #port: MessagePort;
  readonly #stopping: AbortSignal;
  readonly #answered = Promise.withResolvers<boolean>();
  #lock: string | undefined;

  constructor(script: URL, name: string, stopping: AbortSignal) {
    super();
    this.#stopping = stopping;
    const options = { type: 'module', name, extendedLifetime: true } as const;
    const worker = new SharedWorker(workerScript(script), options);
    this.#port = worker.port;
    worker.addEventListener('error', (event) => {
      this.#answered.resolve(false);
      const message = event instanceof ErrorEvent ? event.message : '';
      this.dispatchEvent(new ErrorEvent('error', { message, cancelable: true }));
    });
    this.#port.onmessage = ({ data, ports }: MessageEvent<FromEngineWorker | null>) => {
      if (data?.type === 'slashv1:pong') this.#answered.resolve(true);
      if (data?.type === 'slashv1:alive') this.#lock = data.lock;
      this.dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }));
    };
  }

  /** Whether it has started. */
  answers(): Promise<boolean> {
    this.#post({ type: 'slashv1:ping' });
    return isInTime(this.#answered.promise, START_MS);
  }

  postMessage(message: unknown, ports: MessagePort[]): void {
    this.#port.postMessage(message, ports);
  }

  /** Ends the worker or, if the page has stopped, only the connection. Workers of models end with their engine. */
  terminate(): void {
    if (!this.#stopping.aborted) {
      if (this.#lock !== undefined) ended.add(this.#lock);
      this.#post({ type: 'slashv1:end' });
    }
    this.#port.close();
  }

  #post(message: ToEngineWorker): void {
    this.#port.postMessage(message);
  }
}
