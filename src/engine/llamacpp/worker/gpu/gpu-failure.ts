/** The GPU cannot compute a model, or cannot any more. The CPU can. */
export class GpuFailure extends Error {
  /** Whether the GPU would fail again. After it was lost, another device of it may work. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.name = 'GpuFailure';
    this.isFinal = isFinal;
  }
}

/** @param error - what was thrown while the GPU was in use */
export function asGpuFailure(error: unknown): GpuFailure {
  if (error instanceof GpuFailure) return error;
  const message = messageOf(error);
  // Browsers reject reads of a lost device's buffers in this way. All else is the module's or WebGPU's error.
  const isLost = error instanceof DOMException;
  return new GpuFailure(message, !isLost);
}

/** WebGPU's own errors are no Errors. */
function messageOf(error: unknown): string {
  const message: unknown = Reflect.get(Object(error), 'message');
  return typeof message === 'string' && message !== '' ? message : 'The GPU has failed.';
}
