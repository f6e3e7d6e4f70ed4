import { ApiError } from '../../../core/errors/errors.ts';
import { GgufError } from '../../../core/files/gguf/gguf-error.ts';
import { messageOf } from '../../../core/text/message-of.ts';
import { ConstraintError } from '../../conversation/constraint/output-constraint.ts';
import type { WorkerFailure } from '../messages.ts';
import { GpuFailure } from './gpu/gpu-failure.ts';
import { LlamaError } from './llama-error.ts';

/**
 * What an error means for the worker. On a GPU, all that leaves the worker's state unknown is the GPU's fault: the CPU
 * may be able.
 */
export function failureOf(error: unknown, isOnGpu: boolean): WorkerFailure {
  const found = failureAnywhere(error);
  const isUnknown = found.kind === 'memory' || found.kind === 'broken';
  return isOnGpu && isUnknown ? { ...found, kind: 'gpu', fault: 'final' } : found;
}

/** What an error means on any device. Errors of other classes come from WebAssembly, whose state is unknown then. */
function failureAnywhere(error: unknown): WorkerFailure {
  if (error instanceof ApiError) return { kind: 'api', data: error.data };
  const message = messageOf(error);
  if (error instanceof ConstraintError) return { kind: 'constraint', message };
  if (error instanceof GgufError) return { kind: 'file', message };
  if (error instanceof GpuFailure) return { kind: 'gpu', message, fault: error.fault };
  const isMemory =
    error instanceof LlamaError ? error.failure === 'no_memory' : error instanceof RangeError;
  return { kind: isMemory ? 'memory' : 'broken', message };
}
