import type { WorkerScope } from '../../../../src/engine/llamacpp/worker/worker-failures.ts';
import type { ThreadScope } from '../../../../src/engine/scheduling/threads.ts';

/** What a worker's global scope says about threads. No worker can be started in it. */
export function threadScope(
  crossOriginIsolated: boolean,
  hardwareConcurrency = 4,
): ThreadScope & WorkerScope {
  const Worker = EventTarget as unknown as typeof globalThis.Worker;
  return {
    crossOriginIsolated,
    navigator: { hardwareConcurrency, userAgent: 'Chrome/153' },
    Worker,
    SharedArrayBuffer,
  };
}
