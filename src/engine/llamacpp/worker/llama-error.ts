/**
 * `failed`: the model or the call is at fault. `no_memory`: the module cannot get more memory. `broken`: the
 * module's state is unknown.
 */
export type LlamaFailure = 'failed' | 'no_memory' | 'broken';

/** llama.cpp failed. The message is llama.cpp's own. */
export class LlamaError extends Error {
  readonly failure: LlamaFailure;

  constructor(failure: LlamaFailure, message: string) {
    super(message);
    this.name = 'LlamaError';
    this.failure = failure;
  }
}

/** Throws the error, unless llama.cpp still works after it. */
export function requireIntact(error: unknown): void {
  if (!(error instanceof LlamaError) || error.failure === 'broken') throw error;
}
