// library.js: JavaScript that becomes part of the module, by emcc's --js-library.

addToLibrary({
  // Threads that may compute, this one included; the pool of workers has one less.
  lc_most_threads: () => Module['threads'] ?? 1,

  // Adds a file whose bytes are `size` bytes of the memory from `pointer` on. llama.cpp maps its files, and MEMFS
  // maps such a file without a copy: the weights are used where they are. The views are replaced when the memory
  // grows, so the content is a new view each time.
  $addFileInMemory__deps: ['$FS', '$MEMFS'],
  $addFileInMemory: (path, pointer, size) => {
    const node = FS.create(path);
    node.usedBytes = size;
    Object.defineProperty(node, 'contents', {
      get: () => HEAPU8.subarray(pointer, pointer + size),
    });
  },

  // When another thread lets the memory grow, emscripten makes new views only as its own JavaScript uses them. Without
  // this, users of the module would have views that end where the memory ended before. The names are arguments, because
  // emscripten also rewrites keys of that name.
  $addFileInMemory__postset: `
    Object.defineProperty(Module, 'HEAPU8', { get: () => HEAPU8, set() {} });
    Object.defineProperty(Module, 'HEAP32', { get: () => HEAP32, set() {} });
    Object.defineProperty(Module, 'HEAPF32', { get: () => HEAPF32, set() {} });`,
});
