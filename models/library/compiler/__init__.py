"""Compiles WebLLM model libraries for Llama shapes. A library is a .wasm: TVM runtime, VM program, WebGPU kernels."""
