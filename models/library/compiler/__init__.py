"""Compiles WebLLM model libraries (.wasm: TVM runtime, VM program, WebGPU kernels) for Llama shapes."""
