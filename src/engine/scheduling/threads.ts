import type { OneThreadReason, ThreadReport } from '../../core/realms/device-report.ts';

/** What a worker's global scope says about threads. */
export interface ThreadScope {
  crossOriginIsolated: boolean;
  navigator: { hardwareConcurrency: number; userAgent: string };
  /** WebKitGTK lacks it even in isolated pages: its memory can be shared, but not sent to another worker. */
  SharedArrayBuffer?: unknown;
}

/** Limit of llama.cpp's threads. Each is a worker with its own stack, and all start before we know how many help. */
const MOST_OF_LLAMACPP = 8;
/** ONNX Runtime's own default limit. A site has to ask for more threads. */
const MOST_OF_ONNX = 4;

/**
 * Why a worker can compute with a single thread only; undefined: it can use several. Without cross-origin isolation,
 * threads cannot share memory. The worker starts its threads itself. In Firefox 153, about one in a hundred calls of
 * `new Worker` inside a worker blocks that worker for ever: threads are not worth that.
 */
function oneThreadReason(scope: ThreadScope): OneThreadReason | undefined {
  const { crossOriginIsolated, navigator, SharedArrayBuffer } = scope;
  if (!crossOriginIsolated) return 'not-isolated';
  if (SharedArrayBuffer === undefined) return 'no-shared-memory';
  return navigator.userAgent.includes('Firefox/') ? 'firefox' : undefined;
}

/** @param wanted - what the site asks for; undefined: what the device suggests */
function threads(
  wanted: number | undefined,
  scope: ThreadScope,
  limit: number,
  suggested: number,
): ThreadReport {
  const reason = oneThreadReason(scope);
  if (reason) return { count: 1, limit, reason };
  if (wanted !== undefined) return { count: wanted, limit, reason: 'site' };
  return { count: Math.min(limit, suggested), limit, reason: 'cores' };
}

/** How many threads llama.cpp could have. */
export function llamacppThreads(wanted: number | undefined, scope: ThreadScope): ThreadReport {
  return threads(wanted, scope, MOST_OF_LLAMACPP, scope.navigator.hardwareConcurrency);
}

/**
 * How many threads ONNX Runtime uses for a model. The default is the same as ONNX Runtime's own: half as many as there
 * are cores, because two of the cores that a browser reports are often one physical core.
 */
export function onnxThreads(wanted: number | undefined, scope: ThreadScope): ThreadReport {
  const half = Math.ceil(scope.navigator.hardwareConcurrency / 2);
  return threads(wanted, scope, MOST_OF_ONNX, half);
}
