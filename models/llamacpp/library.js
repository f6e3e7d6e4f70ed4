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
});
