import { WORKER_RUNS } from './engine-port.ts';
import type { FromEngineWorker, ToEngineWorker } from '../../core/realms/messages.ts';

/** The part of `Worker` that the engine needs to run a model. */
export type ChildWorker = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>;

/**
 * Starts a worker.
 *
 * @param name - for debugging
 */
export type StartWorker = (script: URL, name: string) => ChildWorker;

type Listen = (type: 'message', listener: (event: MessageEvent<ToEngineWorker>) => void) => void;

/** The engine worker's global scope. */
interface Scope {
  addEventListener: Listen;
  removeEventListener: Listen;
  postMessage: (message: FromEngineWorker, transfer: Transferable[]) => void;
}

let count = 0;

/** Starts workers as children of the page. See `PageWorker`. */
export function pageWorkers(scope: Scope): StartWorker {
  return (script, name) => new PageWorker(scope, script, name);
}

/**
 * A worker that the page starts and ends, since the engine cannot start it reliably: in Firefox 153, `new Worker`
 * inside a worker blocks that worker for ever in one of about a hundred calls. A port connects both workers, so the
 * page is only asked to start and to end the worker. The worker gets its side of the port from `enginePort`.
 */
class PageWorker extends EventTarget implements ChildWorker {
  readonly #scope: Scope;
  readonly #id = ++count;
  readonly #port: MessagePort;

  constructor(scope: Scope, script: URL, name: string) {
    super();
    this.#scope = scope;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (data === WORKER_RUNS) scope.postMessage({ type: WORKER_RUNS, id: this.#id }, []);
      else this.dispatchEvent(new MessageEvent('message', { data }));
    };
    scope.addEventListener('message', this.#onPage);
    const message = {
      type: 'slashv1:start-worker',
      id: this.#id,
      script: script.href,
      name,
    } as const;
    scope.postMessage(message, [port2]);
  }

  postMessage(message: unknown, options?: Transferable[] | StructuredSerializeOptions): void {
    const transfer = Array.isArray(options) ? options : (options?.transfer ?? []);
    this.#port.postMessage(message, transfer);
  }

  terminate(): void {
    this.#port.close();
    this.#scope.removeEventListener('message', this.#onPage);
    this.#scope.postMessage({ type: 'slashv1:end-worker', id: this.#id }, []);
  }

  readonly #onPage = ({ data }: MessageEvent<ToEngineWorker>) => {
    if (data.type !== 'slashv1:worker-failed' || data.id !== this.#id) return;
    this.dispatchEvent(new ErrorEvent('error', { message: data.message }));
  };
}
