import {
  pagesLock,
  type EngineConfig,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../../core/realms/messages.ts';
import { workerScript } from '../../core/site/site-script.ts';
import { VERSION } from '../../core/version.ts';
import { tabChannel, type TabMessage } from '../../core/port/tab-messages.ts';
import { isLockHeld } from '../../core/port/web-lock.ts';
import { delay } from '../../core/async/delay.ts';
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
  // A script of another origin is imported by a Blob, which each page makes anew.
  if (!browserHasThem() || script.origin !== origin) return undefined;
  if (!(await haveEnded(stopping))) return undefined;
  await shareLock(pagesLock(config.base), stopping);
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
    // The address is none, or there are no such workers.
  }
  return isRead;
}

/** A worker of the same name would be the one that is ending. */
async function haveEnded(signal: AbortSignal): Promise<boolean> {
  const step = 50;
  for (let waited = 0; waited < END_MS; waited += step) {
    const held = await Promise.all([...ended].map(isLockHeld));
    if (!held.includes(true)) return true;
    await delay(step, signal);
  }
  return false;
}

/** Resolves when this page holds the lock, which it does until it stops. */
function shareLock(name: string, stopping: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const hold = () => {
    resolve();
    return new Promise<void>((release) =>
      stopping.addEventListener('abort', () => release(), { once: true }),
    );
  };
  navigator.locks.request(name, { mode: 'shared', signal: stopping }, hold).catch(reject);
  return promise;
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
    return Promise.race([
      this.#answered.promise,
      delay(START_MS, this.#stopping).then(() => false),
    ]);
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
