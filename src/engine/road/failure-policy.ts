import { ApiError, toErrorData } from '../../core/errors/errors.ts';
import type { Task } from '../../core/catalog/catalog-entry.ts';
import type { EngineName } from '../../core/catalog/variant.ts';

/** What was being done with a model when an error occurred. `other`: its engine took no part. */
export type Phase = 'load' | 'answer' | 'unload' | 'other';

/**
 * `request failed`: nothing else changes. `model dropped`: the next request loads the model again. `worker replaced`:
 * the model gets another worker, at once if that may help. `engine replaced`: the engine worker is replaced, and every
 * model in it is lost.
 */
export type Consequence =
  'request failed' | 'model dropped' | 'worker replaced' | 'engine replaced';

/** A text model's own worker has ended, or its state is unknown. */
export class ModelLost extends ApiError {}

/** Codes of failures after which the state of WebLLM and of the GPU is unknown. */
const BREAKING = new Set<string | null>(['timeout', 'out_of_memory']);

/** Names of the exceptions that browsers throw for a database that is full, blocked or closed. */
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
  // The file is asked for again when it is needed again.
  if (phase === 'answer' && code === 'site_file_broken') return 'request failed';
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
