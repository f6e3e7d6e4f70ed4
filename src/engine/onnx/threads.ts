import { canStartWorkers } from '../nested-workers.ts';

/** As in ONNX Runtime. More threads have to be asked for. */
const DEFAULT_MOST = 4;

/** What a worker's global scope says about threads. */
export interface ThreadScope {
  crossOriginIsolated: boolean;
  navigator: { hardwareConcurrency: number; userAgent: string };
}

/**
 * How many threads compute a model. Without cross-origin isolation, threads cannot share memory. The default
 * is ONNX Runtime's: half as many as there are cores, because two cores that browsers report are often one.
 */
export function threadCount(
  wanted: number | undefined,
  { crossOriginIsolated, navigator }: ThreadScope,
): number {
  if (!crossOriginIsolated || !canStartWorkers(navigator)) return 1;
  return wanted ?? Math.min(DEFAULT_MOST, Math.ceil(navigator.hardwareConcurrency / 2));
}
