import { BUILT_IN, type BuiltInScript } from '../../core/realms/built-in.ts';
import { workerScript } from '../../core/realms/site-script.ts';

/** @param base - URL of the folder of `built-in.js` */
export const loadBuiltIn = (base: string): Promise<BuiltInScript> =>
  import(/* webpackIgnore: true */ /* @vite-ignore */ base + BUILT_IN);

/** The workers that an engine worker runs models in. The page starts them for it, see the engine's `PageWorker`. */
export class ModelWorkers {
  readonly #workers = new Map<number, Worker>();

  /**
   * @param name - empty: `built-in.js` is run in this page instead of a worker, and `script` is its folder
   * @param port - port to the engine, which the worker's first message hands over
   * @param onFailed - gets the reason, if the script could not be loaded or has thrown
   */
  start(
    id: number,
    script: string,
    name: string,
    port: MessagePort,
    onFailed: (message: string) => void,
  ): void {
    if (!name) {
      loadBuiltIn(script).then((builtIn) => builtIn.serve(port), onFailed);
      return;
    }
    const worker = new Worker(workerScript(new URL(script)), { type: 'module', name });
    this.#workers.set(id, worker);
    worker.addEventListener('error', (event) => {
      // The engine handles the error. It must not count as an error of the page.
      event.preventDefault();
      // If the script could not be loaded, there is no message.
      onFailed(event.message || `${script} could not be loaded`);
    });
    worker.postMessage(null, [port]);
  }

  end(id: number): void {
    this.#workers.get(id)?.terminate();
    this.#workers.delete(id);
  }

  endAll(): void {
    for (const id of this.#workers.keys()) this.end(id);
  }
}
