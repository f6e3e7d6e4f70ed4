/**
 * What computes WebGPU. `software`: the CPU, in disguise (SwiftShader, llvmpipe). `none`: the browser has
 * no WebGPU, or no GPU that it may use.
 */
export type GpuKind = 'hardware' | 'software' | 'none';

/** An engine that writes text: `webllm` on the GPU, `llamacpp` on the CPU. */
export type TextEngineName = 'webllm' | 'llamacpp';

/** What the engine found out about the device that it runs on. */
export interface DeviceReport {
  gpu: GpuKind;
  /** As the browser names it, e.g. `nvidia ampere`; undefined: it does not tell. */
  gpuName?: string;
  /** Whether the GPU computes in 16 bits, which most models for WebLLM need. */
  shaderF16: boolean;
  /**
   * The engine that writes text for models that have variants for both; null: none can, because the site
   * allows only engines that this device cannot run.
   */
  engine: TextEngineName | null;
  /** Why, in a sentence or two. */
  reason: string;
  /** Whether the page is cross-origin isolated: without that, a model on the CPU has only one thread. */
  isolated: boolean;
  /** Memory for all loaded models together, bytes. */
  memoryBudget: number;
}
