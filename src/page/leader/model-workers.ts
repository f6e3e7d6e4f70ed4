import { faultOf, SILENT_MS, whyNotStarted } from '../worker/served.ts';
import { BUILT_IN, type BuiltInScript } from '../../core/realms/built-in.ts';
import { importScript } from '../../core/site/import-script.ts';
import { messageOf } from '../../core/text/message-of.ts';
import type { HostWorker, StartHostWorker } from './host-worker.ts';

/**
 * Imports the script of the browser's own model.
 *
 * @param base - URL of the folder that it is in
 * @throws StartError `engine_failed`
 */
export async function loadBuiltIn(base: string): Promise<BuiltInScript> {
  const script = new URL(BUILT_IN, base);
  try {
    return await importScript(script, toBuiltIn);
  } catch (error) {
    throw await whyNotStarted(script, messageOf(error));
  }
}

function toBuiltIn(module: unknown): BuiltInScript {
  if (isBuiltIn(module)) return module;
  throw new TypeError('Another script.');
}

function isBuiltIn(module: unknown): module is BuiltInScript {
  return typeof module === 'object' && module !== null && 'download' in module;
}

/** The workers that an engine worker runs models in. The page starts them for it, see the engine's `PageWorker`. */
export class ModelWorkers {
  readonly #start: StartHostWorker;
  readonly #workers = new Map<number, HostWorker>();
  /** Timers of workers whose scripts have not run yet. */
  readonly #silences = new Map<number, ReturnType<typeof setTimeout>>();

  constructor(start: StartHostWorker) {
    this.#start = start;
  }

  /**
   * @param name - empty: `built-in.js` is run in this page instead of a worker, and `script` is its folder
   * @param port - port to the engine, which the worker's first message hands over
   * @param engine - the Web Lock that the engine holds while it lives
   * @param onFailed - gets the reason, if the script could not be loaded or has thrown
   */
  start(
    id: number,
    script: string,
    name: string,
    port: MessagePort,
    engine: string | undefined,
    onFailed: (message: string) => void,
  ): void {
    if (!name) {
      loadBuiltIn(script).then(
        (builtIn) => builtIn.serve(port),
        (error: unknown) => onFailed(messageOf(error)),
      );
      return;
    }
    const url = new URL(script);
    const worker = this.#start(url, name);
    this.#workers.set(id, worker);
    worker.addEventListener('error', (event) => {
      // The engine handles the error. It must not count as an error of the page.
      event.preventDefault();
      if (!this.#silences.has(id)) return onFailed(event.message);
      this.#noteRunning(id);
      void whyNotStarted(url, event.message).then(({ message }) => onFailed(message));
    });
    // The worker sends the page one message, see the engine's `enginePort`.
    worker.addEventListener('message', () => this.#noteRunning(id), { once: true });
    worker.postMessage(engine, [port]);
    this.#silences.set(
      id,
      setTimeout(() => this.#onSilence(id, url, onFailed), SILENT_MS),
    );
  }

  /** The worker's script has been run: from now on, errors are its own. */
  #noteRunning(id: number): void {
    clearTimeout(this.#silences.get(id));
    this.#silences.delete(id);
  }

  /** An empty script, and one that is not of slashv1, run without an error. */
  #onSilence(id: number, script: URL, onFailed: (message: string) => void): void {
    void faultOf(script, 'engine_failed').then((fault) => {
      if (fault && this.#silences.has(id)) onFailed(fault.message);
    });
  }

  end(id: number): void {
    this.#noteRunning(id);
    this.#workers.get(id)?.terminate();
    this.#workers.delete(id);
  }

  endAll(): void {
    for (const id of this.#workers.keys()) this.end(id);
  }
}
