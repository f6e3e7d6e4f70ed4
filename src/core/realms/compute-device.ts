/** What computes a model: the CPU, through WebAssembly, or the GPU. */
export type ComputeDevice = 'wasm' | 'webgpu';
