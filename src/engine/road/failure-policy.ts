import { ApiError, toErrorData } from '../../core/errors/errors.ts';
import type { Task } from '../../core/catalog/catalog-entry.ts';
import type { EngineName } from '../../core/catalog/variant.ts';

/** What was done with a model when an error came. `other`: nothing that its engine took part in. */
export type Phase = 'load' | 'answer' | 'unload' | 'other';

/**
 * `request failed`: everything else stays. `model dropped`: the next request loads it again. `worker replaced`: the
 * model gets another worker, at once if that may help. `engine replaced`: with every model in it.
 */
export type Consequence =
  'request failed' | 'model dropped' | 'worker replaced' | 'engine replaced';

/** A text model's own worker has ended, or its state is unknown. */
export class ModelLost extends ApiError {}

/** Codes of failures after which the state of WebLLM and of the GPU is unknown. */
const BREAKING = new Set<string | null>(['timeout', 'out_of_memory']);

/** What browsers call the failures of a database that is full, blocked or closed. */
const STORAGE_ERRORS = new Set([
  'InvalidStateError',
  'UnknownError',
  'NotFoundError',
  'QuotaExceededError',
]);

/** Decides what an error of a model means for the model, its worker and the engine. */
export function consequenceOf(
  { task, engine }: { task: Task; engine: EngineName },
  error: unknown,
  phase: Phase,
): Consequence {
  if (phase === 'other' || engine === 'builtin') return 'request failed';
  const { status, code } = toErrorData(error);
  // Embedders and voices have workers of their own, whatever their engine.
  if (task !== 'chat') return status >= 500 ? 'worker replaced' : 'request failed';
  if (engine === 'llamacpp') {
    return error instanceof ModelLost || code === 'timeout' ? 'model dropped' : 'request failed';
  }
  if (phase === 'load' && isStorageError(error)) return 'request failed';
  const isUnforeseen = !(error instanceof ApiError);
  return isUnforeseen || BREAKING.has(code) ? 'engine replaced' : 'request failed';
}

function isStorageError(error: unknown): boolean {
  return error instanceof DOMException && STORAGE_ERRORS.has(error.name);
}
