import { canUseThreads, type ThreadScope } from '../thread-scope.ts';

/** As in ONNX Runtime. More threads have to be asked for. */
const DEFAULT_MOST = 4;

/**
 * How many threads compute a model. The default is ONNX Runtime's: half as many as there are cores, because two
 * cores that browsers report are often one.
 */
export function threadCount(wanted: number | undefined, scope: ThreadScope): number {
  if (!canUseThreads(scope)) return 1;
  return wanted ?? Math.min(DEFAULT_MOST, Math.ceil(scope.navigator.hardwareConcurrency / 2));
}
