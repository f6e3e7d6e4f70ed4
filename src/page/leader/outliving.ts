/** `outlive.js`: the engine and its models' workers as SharedWorkers that outlive their pages. */
import {
  pagesLock,
  needsCodecs,
  type EngineConfig,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../../core/realms/messages.ts';
import { isEmulated } from '../../core/fit/adapter-info.ts';
import { workerScript } from '../../core/site/site-script.ts';
import { VERSION } from '../../core/version.ts';
import { tabChannel, type TabMessage } from '../../core/port/tab-messages.ts';
import { freeWebLock, holdWebLock } from '../../core/port/web-lock.ts';
import { inTime } from '../../core/async/in-time.ts';
import { startPageWorker, type HostWorker, type StartHostWorker } from './host-worker.ts';

export { VERSION };

/** How long such a worker may take to fetch its script and start, milliseconds. Then one of the page is used. */
const START_MS = 20_000;

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
  if (!(await mayOutlive(config)) || script.origin !== origin) return undefined;
  const leave = await holdWebLock(pagesLock(config.base), 'shared');
  stopping.addEventListener('abort', () => void leave(), { once: true });
  if (stopping.aborted) await leave();
  stopping.throwIfAborted();
  const tabs = tabChannel(config.base);
  const message: TabMessage = { type: 'slashv1:outliving', version: VERSION };
  tabs.postMessage(message);
  tabs.close();
  const turns = engineTurns(config.base);
  // The version is in the name: a worker of another build goes on running its code.
  const engineName = `slashv1 engine ${VERSION} ${config.base} ${turns.present()}`;
  const engine = new OutlivingWorker(script, engineName, stopping, turns.next);
  if (!(await engine.answers())) {
    engine.terminate();
    return undefined;
  }
  return (wanted, name) => {
    if (wanted.href === script.href) return engine;
    if (needsCodecs(name)) return startPageWorker(wanted, name);
    return new OutlivingWorker(wanted, `${name} ${crypto.randomUUID()}`, stopping);
  };
}

/** Whether the engine is to outlive its pages, and can in this browser. */
export async function mayOutlive(config: EngineConfig): Promise<boolean> {
  if (!config.outlive || !browserHasThem()) return false;
  return config.outlive === true || !(await threadsPay(config));
}

/**
 * Whether models are computed by several threads in a worker of the page. There are none in a SharedWorker, and a prompt
 * of some hundred tokens then takes longer than loading the model again.
 */
async function threadsPay({ threads, llamacppDevice }: EngineConfig): Promise<boolean> {
  if (!crossOriginIsolated || threads === 1 || navigator.hardwareConcurrency === 1) return false;
  // TypeScript's types say that it always exists, but many browsers lack WebGPU.
  const gpu = navigator.gpu as GPU | undefined;
  const adapter = llamacppDevice === 'wasm' ? null : await gpu?.requestAdapter();
  return !adapter || isEmulated(adapter.info) === true;
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

/**
 * Counts the engines that pages of this folder have ended. The number is in the name of the next one: one that hangs never
 * ends, and would be found again by its name.
 */
function engineTurns(base: string) {
  const key = `slashv1:engines ${base}`;
  const present = () => Number(localStorage.getItem(key));
  return {
    present: () => tried(present) ?? 0,
    next: () => tried(() => localStorage.setItem(key, String(present() + 1))),
  };
}

/** Whether the promise resolves to anything but false soon enough. */
function isInTime(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return inTime(promise, ms, () => new Error('Too late.')).then(
    (result) => result !== false,
    () => false,
  );
}

/** Undefined: the page may not use its storage, or that is full. */
function tried<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

/** A SharedWorker that outlives its pages, as a worker of this page. */
class OutlivingWorker extends EventTarget implements HostWorker {
  readonly #port: MessagePort;
  readonly #stopping: AbortSignal;
  readonly #answered = Promise.withResolvers<boolean>();
  readonly #onEnd: () => void;
  /** The Web Lock that it holds; undefined: it runs a model, or has not told yet. */
  #lock: string | undefined;

  /** @param onEnd - called before the worker is ended */
  constructor(
    script: URL,
    name: string,
    stopping: AbortSignal,
    onEnd: () => void = () => undefined,
  ) {
    super();
    this.#stopping = stopping;
    this.#onEnd = onEnd;
    const options = { type: 'module', name, extendedLifetime: true } as const;
    const worker = new SharedWorker(workerScript(script), options);
    this.#port = worker.port;
    worker.addEventListener('error', (event) => {
      this.#answered.resolve(false);
      const message = event instanceof ErrorEvent ? event.message : '';
      this.dispatchEvent(new ErrorEvent('error', { message, cancelable: true }));
    });
    this.#port.onmessage = ({ data, ports }: MessageEvent<FromEngineWorker | null>) => {
      if (data?.type === 'slashv1:alive') this.#lock = data.lock;
      if (data?.type === 'slashv1:pong') this.#answered.resolve(true);
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
      this.#onEnd();
      this.#post({ type: 'slashv1:end' });
      // If it hangs, it never reads that.
      if (this.#lock !== undefined) void freeWebLock(this.#lock);
    }
    this.#port.close();
  }

  #post(message: ToEngineWorker): void {
    this.#port.postMessage(message);
  }
}
