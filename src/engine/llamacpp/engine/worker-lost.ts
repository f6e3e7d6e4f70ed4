import type { GpuFault } from '../../../core/fit/load-record.ts';
import { ApiError, serverError } from '../../../core/errors/errors.ts';
import { ConstraintError } from '../../conversation/constraint/output-constraint.ts';
import { ModelFileError } from '../../download/hub/model-file-error.ts';
import type { WorkerFailure } from '../messages.ts';

/** The worker has ended, or its state is unknown. A new one may work. */
export class WorkerLost extends Error {}

/** The GPU has failed, and the worker has ended. One on the CPU works. */
export class GpuLost extends WorkerLost {
  readonly fault: GpuFault;

  constructor(message: string, fault: GpuFault) {
    super(message);
    this.fault = fault;
  }
}

/** The error that a worker has reported. */
export function errorOf(failure: WorkerFailure): Error {
  switch (failure.kind) {
    case 'api':
      return new ApiError(failure.data);
    case 'constraint':
      return new ConstraintError(failure.message);
    case 'file':
      return new ModelFileError('file', `cannot be used: ${failure.message.replace(/\.$/, '')}`);
    case 'memory': {
      const message = `The model does not fit into this browser's memory: ${failure.message}`;
      return serverError('out_of_memory', message);
    }
    case 'gpu':
      return new GpuLost(failure.message, failure.fault);
    case 'broken':
      return new WorkerLost(failure.message);
  }
}
