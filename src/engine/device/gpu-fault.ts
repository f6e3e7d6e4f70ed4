import { ApiError } from '../../core/errors/errors.ts';

/**
 * What an error of WebLLM says about the GPU. `final`: it will fail again with this model: its memory is
 * too small, or it cannot compile the kernels. `passing`: it was lost, or hung. Undefined: nothing.
 */
export type GpuFault = 'final' | 'passing' | undefined;

export function gpuFault(error: unknown): GpuFault {
  if (error instanceof ApiError) return faultOfCode(error.data.code);
  if (!(error instanceof Error)) return undefined;
  // WebGPU's error for kernels that do not compile. The others name no cause that one could rely on.
  return error.name === 'GPUPipelineError' ? 'final' : 'passing';
}

function faultOfCode(code: string | null): GpuFault {
  if (code === 'out_of_memory' || code === 'webgpu_unavailable') return 'final';
  return code === 'timeout' ? 'passing' : undefined;
}
