/** Acts like a Blob whose bytes can be read at once, as `FileReaderSync` does in workers; Node has neither. */
export class SyncBlob extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([bytes]);
    this.#bytes = bytes;
  }

  override slice(start?: number, end?: number): SyncBlob {
    return new SyncBlob(this.#bytes.slice(start, end));
  }

  get content(): ArrayBuffer {
    return this.#bytes.buffer;
  }
}

/** For blobs of this kind only. */
export class SyncReader {
  readAsArrayBuffer(blob: SyncBlob): ArrayBuffer {
    return blob.content;
  }
}
