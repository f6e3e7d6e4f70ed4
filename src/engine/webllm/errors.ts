import { contextOverflow, promptTooLong, serverError } from '../../core/errors/errors.ts';
import { ConstraintError } from '../conversation/constraint/output-constraint.ts';
import { messageOf } from '../../core/text/message-of.ts';

/**
 * Turns what WebLLM throws while it generates into the errors of a TextModel, if the error is a known one.
 *
 * @param context - of the model, tokens
 */
export function generateError(error: unknown, context: number): unknown {
  if (!(error instanceof Error)) return serverError('engine_error', String(error));
  if (error.name === 'ContextWindowSizeExceededError') {
    const [prompt = 0, most = context] = (error.message.match(/\d+/g) ?? []).map(Number);
    return promptTooLong(prompt, most);
  }
  // With more than about 100,000 tokens, WebLLM's way of collecting them overflows the stack.
  if (error instanceof RangeError) return contextOverflow('far less than this prompt', { context });
  if (error.name === 'GrammarMatcherInitError') return new ConstraintError(error.message);
  return error;
}

/** Turns what WebLLM throws while it loads a model into the API's errors, if the error is a known one. */
export function loadError(error: unknown): unknown {
  const message = messageOf(error);
  if (/out of memory|OutOfMemory/i.test(message)) {
    return serverError(
      'out_of_memory',
      `The model does not fit into this GPU's memory: ${message}`,
    );
  }
  if (/WebGPU|shader-f16|requestAdapter|requestDevice/i.test(message)) {
    return serverError('webgpu_unavailable', message);
  }
  return error instanceof Error ? error : serverError('engine_error', message);
}
