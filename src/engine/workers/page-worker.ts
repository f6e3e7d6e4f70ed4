import { scriptFault } from './site-file.ts';
import type { FromEngineWorker, ToEngineWorker } from '../../core/realms/messages.ts';

/** The engine's end of the connection to a worker. */
export interface WorkerPort {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}

/**
 * A worker that runs a model for the engine. An `error` event says that its script has failed; if that is because of the
 * file, its `error` is the ApiError for clients.
 */
export interface ChildWorker extends Pick<Worker, 'addEventListener' | 'terminate'> {
  readonly port: WorkerPort;
}

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
  readonly port: MessagePort;
  readonly #scope: Scope;
  readonly #id = ++count;
  readonly #script: string;

  constructor(scope: Scope, script: URL, name: string) {
    super();
    this.#scope = scope;
    this.#script = script.href;
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    scope.addEventListener('message', this.#onPage);
    const message = {
      type: 'slashv1:start-worker',
      id: this.#id,
      script: script.href,
      name,
    } as const;
    scope.postMessage(message, [port2]);
  }

  terminate(): void {
    this.port.close();
    this.#scope.removeEventListener('message', this.#onPage);
    this.#scope.postMessage({ type: 'slashv1:end-worker', id: this.#id }, []);
  }

  readonly #onPage = ({ data }: MessageEvent<ToEngineWorker>) => {
    if (data.type !== 'slashv1:worker-failed' || data.id !== this.#id) return;
    const { message } = data;
    // What the page says of the script's file begins with its address.
    const error = message.startsWith(this.#script) ? scriptFault(message) : undefined;
    this.dispatchEvent(new ErrorEvent('error', { message, error }));
  };
}
