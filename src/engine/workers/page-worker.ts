import { freshAddress } from '../../core/site/import-script.ts';
import { scriptFault } from './site-file.ts';
import {
  END_WORKER,
  needsCodecs,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../../core/realms/messages.ts';

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

/**
 * If a worker's script has not been run after so long, milliseconds, another worker is started beside it. The network
 * may be slow, but browsers were also seen to create workers that never started, without an error: Chromium 156 after a
 * crash of its service worker.
 */
const UNSTARTED_MS = 20_000;

let count = 0;

/** Starts workers as children of the page. See `PageWorker`. */
export function pageWorkers(scope: Scope): StartWorker {
  return (script, name) => new PageWorker(scope, script, name);
}

/**
 * A worker that the page starts and ends, since the engine cannot start it reliably: in Firefox 153, `new Worker`
 * inside a worker blocks that worker for ever in one of about a hundred calls. A port connects both workers, so the
 * page is only asked to start and to end the worker. The worker gets its side of the port from `enginePort`, and its
 * first message there is `SCRIPT_HAS_RUN`.
 */
class PageWorker extends EventTarget implements ChildWorker {
  readonly port = new WaitingPort();
  readonly #scope: Scope;
  readonly #script: URL;
  readonly #name: string;
  /** Ports to the workers that may become this one, by id: after the start of one, only that. */
  readonly #ports = new Map<number, MessagePort>();
  #unstarted: ReturnType<typeof setTimeout> | undefined;

  constructor(scope: Scope, script: URL, name: string) {
    super();
    this.#scope = scope;
    this.#script = script;
    this.#name = name;
    scope.addEventListener('message', this.#onPage);
    this.#start(script);
    // The request of the first worker's script may wait without end, and others of its address with it.
    this.#unstarted = setTimeout(() => this.#start(freshAddress(script)), UNSTARTED_MS);
  }

  terminate(): void {
    clearTimeout(this.#unstarted);
    this.#scope.removeEventListener('message', this.#onPage);
    for (const id of this.#ports.keys()) this.#end(id);
  }

  #start({ href }: URL): void {
    const id = ++count;
    const { port1, port2 } = new MessageChannel();
    this.#ports.set(id, port1);
    port1.onmessage = () => this.#onStarted(id, port1);
    const message = {
      type: 'slashv1:start-worker',
      id,
      script: href,
      name: this.#name,
    } as const;
    this.#scope.postMessage(message, [port2]);
  }

  #onStarted(started: number, port: MessagePort): void {
    clearTimeout(this.#unstarted);
    this.#unstarted = undefined;
    for (const id of this.#ports.keys()) if (id !== started) this.#end(id);
    this.port.connect(port);
  }

  /** Without a name, the script ran in the page itself; with WebCodecs, in a worker of the page. */
  #endWithPage(): void {
    this.terminate();
    this.dispatchEvent(new ErrorEvent('error', { message: 'The page that ran it has gone.' }));
  }

  #end(id: number): void {
    this.#ports.get(id)?.postMessage(END_WORKER);
    this.#ports.get(id)?.close();
    this.#ports.delete(id);
    this.#scope.postMessage({ type: 'slashv1:end-worker', id }, []);
  }

  readonly #onPage = ({ data }: MessageEvent<ToEngineWorker>) => {
    // A new page has come. The page that was asked to start this worker may be gone.
    if (data.type === 'slashv1:configure') {
      if (this.#unstarted !== undefined) this.#start(this.#script);
      else if (!this.#name || needsCodecs(this.#name)) this.#endWithPage();
    }
    if (data.type !== 'slashv1:worker-failed' || !this.#ports.has(data.id)) return;
    const { message } = data;
    // What the page says of the script's file begins with its address.
    const error = message.startsWith(this.#script.href) ? scriptFault(message) : undefined;
    this.dispatchEvent(new ErrorEvent('error', { message, error }));
  };
}

/** A port whose messages wait until there is somebody at its other end. */
class WaitingPort implements WorkerPort {
  onmessage: WorkerPort['onmessage'] = null;
  #port: MessagePort | undefined;
  readonly #waiting: [message: unknown, transfer: Transferable[]][] = [];

  postMessage(message: unknown, transfer: Transferable[] = []): void {
    if (this.#port) this.#port.postMessage(message, transfer);
    else this.#waiting.push([message, transfer]);
  }

  connect(port: MessagePort): void {
    this.#port = port;
    port.onmessage = (event) => this.onmessage?.(event);
    for (const message of this.#waiting.splice(0)) port.postMessage(...message);
  }
}
