/** What computes a model: the CPU, through WebAssembly, or the GPU. */
export type ComputeDevice = 'wasm' | 'webgpu';

/**
 * What computes WebGPU. `software`: the CPU, in disguise (SwiftShader, llvmpipe). `none`: the browser has
 * no WebGPU, or no GPU that it may use.
 */
export type GpuKind = 'hardware' | 'software' | 'none';

/** An engine that writes text: `webllm` on the GPU, `llamacpp` on the GPU or the CPU. */
export type TextEngineName = 'webllm' | 'llamacpp';

/** How many threads the CPU uses for models. */
export interface ThreadReport {
  /** Number of threads. llama.cpp uses only as many of them as turn out to be the fastest. */
  count: number;
  /** Most threads that are used unless the site chooses. */
  limit: number;
  /**
   * Why there are this many. `cores`: as many as the processor has, up to the limit. `site`: an option of `start()`.
   * Otherwise there is only one thread: the page is not isolated, the browser has no SharedArrayBuffer, or more would
   * not be safe in Firefox.
   */
  reason: 'cores' | 'site' | OneThreadReason;
}

/** Why there is only one thread. */
export type OneThreadReason = 'not-isolated' | 'no-shared-memory' | 'firefox';

/** What the engine found out about the device that it runs on. */
export interface DeviceReport {
  gpu: GpuKind;
  /** Name of the GPU as the browser gives it, e.g. `nvidia ampere`; undefined: the browser does not tell. */
  gpuName?: string;
  /** Whether the GPU computes in 16 bits, which most models for WebLLM need. */
  shaderF16: boolean;
  /**
   * The engine that writes text for models that have variants for both; null: none can, because the site
   * allows only engines that this device cannot run.
   */
  engine: TextEngineName | null;
  /** What computes GGUF models, unless the GPU lacks something that a model needs. */
  llamacpp: ComputeDevice;
  /** Why this engine and this device, in a few sentences; also which models the GPU has failed with. */
  reason: string;
  /**
   * What hosts the engine. `page`: a worker that ends with the tab that started it. `shared-worker`: a SharedWorker that
   * outlives its pages, see `outlive` of `start()`.
   */
  host: 'page' | 'shared-worker';
  /** Whether the engine is cross-origin isolated: without that, a model on the CPU has only one thread. */
  isolated: boolean;
  /** Threads of llama.cpp, and those of ONNX Runtime: speech, transcription, and embedders that are not GGUF files. */
  threads: { llamacpp: ThreadReport; onnx: ThreadReport };
  /** Memory for all loaded models together, bytes. */
  memoryBudget: number;
}
