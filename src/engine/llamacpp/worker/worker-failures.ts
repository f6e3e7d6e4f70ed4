import { siteWorkers } from '../../../core/site/site-script.ts';

/** A global scope that can start workers. */
export interface WorkerScope {
  Worker: typeof Worker;
}

/**
 * Runs something that starts workers, and rejects as soon as one of them fails to start or cannot be sent a message.
 * Emscripten listens to its threads only after it has fetched its WebAssembly: it would wait forever for a thread that
 * failed before that, or that did not get the memory. It throws the failure of a later one, which would end this worker: so
 * it hears of none until all have started.
 */
export async function rejectsWithItsWorkers<T>(
  scope: WorkerScope,
  run: () => Promise<T>,
): Promise<T> {
  const { Worker: Plain } = scope;
  const started: Worker[] = [];
  const failed = Promise.withResolvers<never>();
  let hasStarted = false;
  scope.Worker = class extends siteWorkers(Plain) {
    readonly #fail: () => void;

    constructor(script: string | URL, options?: WorkerOptions) {
      super(script, options);
      started.push(this);
      this.#fail = () => failed.reject(new Error(`${String(script)} could not be started`));
      this.addEventListener('error', (event) => {
        if (hasStarted) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.#fail();
      });
    }

    override postMessage(...sent: [unknown, (Transferable[] & StructuredSerializeOptions)?]): void {
      try {
        super.postMessage(...sent);
      } catch (error) {
        this.#fail();
        throw error;
      }
    }
  };
  try {
    const result = await Promise.race([run(), failed.promise]);
    hasStarted = true;
    return result;
  } catch (error) {
    for (const worker of started) worker.terminate();
    throw error;
  } finally {
    scope.Worker = Plain;
  }
}
