import type { GpuFault } from '../../../../core/fit/load-record.ts';

/** The GPU cannot compute a model, or cannot any more. The CPU can. */
export class GpuFailure extends Error {
  readonly fault: GpuFault;
  /** Whether there was no memory for a buffer. */
  readonly isMemory: boolean;

  constructor(message: string, fault: GpuFault, isMemory = false) {
    super(message);
    this.name = 'GpuFailure';
    this.fault = fault;
    this.isMemory = isMemory;
  }
}

/** @param error - what was thrown while the GPU was in use */
export function asGpuFailure(error: unknown): GpuFailure {
  if (error instanceof GpuFailure) return error;
  const message = messageOf(error);
  // Browsers reject reads of a lost device's buffers in this way. All else is the module's or WebGPU's error.
  const isLost = error instanceof DOMException;
  // WebGPU's own errors are no Errors. That of a buffer is the only one that is thrown.
  const isMemory = !(error instanceof Error);
  return new GpuFailure(message, isLost ? 'passing' : 'final', isMemory);
}

function messageOf(error: unknown): string {
  const message: unknown = Reflect.get(Object(error), 'message');
  return typeof message === 'string' && message !== '' ? message : 'The GPU has failed.';
}
