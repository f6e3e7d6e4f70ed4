// library.js: JavaScript that becomes part of the module, by emcc's --js-library.

addToLibrary({
  // Called while the model is loaded, with the part that is done, 0 to 1.
  lc_on_progress: (done) => Module['onLoadProgress']?.(done),

  // Threads that may compute, this one included; the pool of workers has one less.
  lc_most_threads: () => Module['threads'] ?? 1,

  // llama.cpp reads a file's header a few bytes at a time, and C's own buffer has 1 kB. In browsers each read of a
  // Blob is a message to another process, so small reads are answered from one large read. Very large reads are
  // divided, because the browser makes a copy of each.
  $readAhead__deps: ['$FS', '$WORKERFS'],
  $readAhead__postset: 'readAhead();',
  $readAhead: () => {
    const AHEAD = 1 << 20;
    const MOST = 1 << 24;
    const EIO = 29;
    let ahead = { blob: undefined, start: 0, bytes: new Uint8Array(0) };

    const read = (blob, position, length) => {
      try {
        const part = blob.slice(position, position + length);
        return new Uint8Array(WORKERFS.reader.readAsArrayBuffer(part));
      } catch {
        throw new FS.ErrnoError(EIO);
      }
    };

    const isAhead = (blob, position, length) =>
      blob === ahead.blob &&
      position >= ahead.start &&
      position + length <= ahead.start + ahead.bytes.length;

    const readSmall = (blob, position, length) => {
      if (!isAhead(blob, position, length)) {
        ahead = { blob, start: position, bytes: read(blob, position, AHEAD) };
      }
      return ahead.bytes.subarray(position - ahead.start, position - ahead.start + length);
    };

    WORKERFS.stream_ops.read = (stream, buffer, offset, length, position) => {
      const blob = stream.node.contents;
      const bytes =
        length < AHEAD
          ? readSmall(blob, position, length)
          : read(blob, position, Math.min(length, MOST));
      buffer.set(bytes, offset);
      return bytes.length;
    };
  },
});
