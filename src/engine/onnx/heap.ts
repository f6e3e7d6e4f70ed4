const memories: WebAssembly.Memory[] = [];

/**
 * Notes each memory that is made for WebAssembly from now on: ONNX Runtime does not tell how large its own is. It
 * grows with what a model computes and cannot shrink.
 */
export function watchHeap(): void {
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(target, [descriptor]: [WebAssembly.MemoryDescriptor]) {
      const memory = new target(descriptor);
      memories.push(memory);
      return memory;
    },
  });
}

/** Size of the memory of WebAssembly in this worker, bytes. */
export function heapBytes(): number {
  return memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
}
