import { ApiError, EngineLost, toErrorData } from '../../core/errors/errors.ts';

/** A model in a worker of its own failed: the engine and its other models are unaffected. */
export class SeparateFailure extends ApiError {}

/** Codes of failures after which the engine's state is unknown. */
const BREAKING = new Set<string | null>(['timeout', 'out_of_memory', 'unforeseen']);

/**
 * Decides what an error means for the engine. After an unforeseen error, a hang or a lost GPU, the state
 * of the engine below is unknown, so its worker has to be replaced.
 *
 * @param signal - of the job: errors of a cancelled job are expected
 * @param onBroken - called if the worker has to be replaced
 * @returns what to throw
 */
export function engineFailure(error: unknown, signal: AbortSignal, onBroken: () => void): unknown {
  if (error instanceof EngineLost) return error;
  const code = error instanceof ApiError ? error.data.code : 'unforeseen';
  if (!BREAKING.has(code) || (code === 'unforeseen' && signal.aborted)) return error;
  onBroken();
  // A new worker has no more memory than this one, so the job is not repeated.
  if (code === 'out_of_memory') return error;
  return new EngineLost(toErrorData(error), { broke: true, cause: error });
}
