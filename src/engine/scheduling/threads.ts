import type { OneThreadReason, ThreadReport } from '../../core/realms/device-report.ts';

/** What a worker's global scope says about threads. */
export interface ThreadScope {
  crossOriginIsolated: boolean;
  navigator: { hardwareConcurrency: number; userAgent: string };
  /** WebKitGTK has none, even if it is isolated: its memory can be shared, but not sent to another worker. */
  SharedArrayBuffer?: unknown;
}

/** Each is a worker with a stack of its own, and they are made before it is known how many help. */
const MOST_OF_LLAMACPP = 8;
/** As in ONNX Runtime. More threads have to be asked for. */
const MOST_OF_ONNX = 4;

/**
 * Why a worker can compute with a single thread only; undefined: it can use several. Without cross-origin isolation
 * they cannot share memory. The worker starts them, and in Firefox 153 `new Worker` blocks the worker that calls it for
 * ever, in one of about a hundred calls: threads are not worth that.
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
 * How many threads of ONNX Runtime compute a model. The default is its own: half as many as there are cores, because two
 * cores that browsers report are often one.
 */
export function onnxThreads(wanted: number | undefined, scope: ThreadScope): ThreadReport {
  const half = Math.ceil(scope.navigator.hardwareConcurrency / 2);
  return threads(wanted, scope, MOST_OF_ONNX, half);
}
