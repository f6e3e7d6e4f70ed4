import { contextOverflow, invalidRequest, serverError } from '../../core/protocol/errors.ts';
import type { Generation } from '../text/text-model.ts';

type Params = Pick<Generation, 'promptParam' | 'constraintParam'>;

/**
 * What WebLLM throws while it generates, as the API's errors where they are foreseen.
 *
 * @param params - the request's fields that the prompt and the constraint came in
 */
export function generateError(error: unknown, params: Params): unknown {
  const { promptParam, constraintParam = 'response_format' } = params;
  if (!(error instanceof Error)) return serverError('engine_error', String(error));
  if (error.name === 'ContextWindowSizeExceededError') {
    const [tokens, size] = error.message.match(/\d+/g) ?? [];
    return contextOverflow(`${size} tokens; the prompt has ${tokens}`, promptParam);
  }
  // Over 100,000 tokens or so, WebLLM's own way of gathering them overflows the stack.
  if (error instanceof RangeError) return contextOverflow('far less than this prompt', promptParam);
  if (error.name === 'GrammarMatcherInitError') {
    const message = `The grammar for '${constraintParam}' did not compile: ${error.message}`;
    return invalidRequest(message, constraintParam, 'invalid_json_schema');
  }
  return error;
}

/** As generateError, while it loads a model. */
export function loadError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
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
