import { ApiError, serverError } from '../../core/protocol/errors.ts';
import type { Installation } from '../../core/stores/variant.ts';
import type { FileKey } from '../../core/stores/database.ts';
import type { WeightStore } from '../../core/stores/weight-store.ts';
import { continues, rangeHeaders, validatorOf, type Received } from './byte-range.ts';
import type { FileHash } from './file-hash.ts';
import type { Permits } from './permits.ts';
import { Interruption, retried, type Retry } from './retried.ts';

export type SourceFile = Installation['files'][number];

/** What is stored at once: at most this much is lost when a tab dies, bytes. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
/** A connection that brings nothing for this long is given up, milliseconds. */
const STALL_MS = 30_000;

export interface Transfer {
  file: SourceFile;
  key: FileKey;
  store: WeightStore;
  /** At the transfer's disposal until it ends. */
  hash: FileHash;
  /** Taken while bytes come. */
  line: Permits;
  onBytes: (bytes: number) => void;
  retry?: Retry | undefined;
}

/**
 * Brings one file into the store. What comes is kept, whatever happens: the next transfer goes on
 * behind it, unless the file has changed or the server cannot send a part. What turns out not to be
 * the file it should be is fetched anew, once.
 *
 * @throws ApiError 500 when the file is missing at its source, cannot be fetched, is not the file it
 *   should be, or finds no space
 */
export async function transferFile(transfer: Transfer, signal: AbortSignal): Promise<void> {
  const download = new FileDownload(transfer);
  try {
    await download.finish(signal);
  } catch (error) {
    if (!(error instanceof WrongFile)) throw error;
    await download.finish(signal).catch((again: unknown) => {
      throw again instanceof WrongFile ? serverError('engine_error', again.message) : again;
    });
  }
}

/** The source does not have the file any more. */
export class FileGone extends ApiError {}

/** What came is not what was to come, and is deleted. */
class WrongFile extends Error {}

class FileDownload {
  readonly #transfer: Transfer;
  #received: Received = { bytes: 0 };
  /** Has come, and is hashed, but not stored. */
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #chunkBytes = 0;
  /** The segment that is being stored. */
  #writing: Promise<void> = Promise.resolve();

  constructor(transfer: Transfer) {
    this.#transfer = transfer;
  }

  /** @throws WrongFile, and then nothing of it is stored any more */
  async finish(signal: AbortSignal): Promise<void> {
    const { file, key, store, hash, retry } = this.#transfer;
    const attempt = () => this.#fetchRest(signal);
    await retried(file.url, attempt, () => this.#received.bytes, signal, retry);
    const { bytes } = this.#received;
    const sha256 = await hash.digest();
    const isWhole = bytes === file.size || file.size === 0;
    const isRight = isWhole && (file.sha256 === undefined || file.sha256 === sha256);
    if (isRight && (await store.complete(key, bytes, sha256))) return;
    await this.#startAnew();
    const found = isWhole
      ? `SHA-256 ${sha256}, expected ${file.sha256 ?? 'any'}`
      : length(bytes, file);
    throw new WrongFile(`${file.url} is not the file it should be: ${found}.`);
  }

  async #fetchRest(signal: AbortSignal): Promise<void> {
    const { file, line } = this.#transfer;
    await this.#pickUp();
    if (file.size > 0 && this.#received.bytes >= file.size) return;
    try {
      await line.use(() => this.#receive(signal), signal);
    } finally {
      await this.#store();
      await this.#writing;
    }
  }

  async #receive(signal: AbortSignal): Promise<void> {
    const { file } = this.#transfer;
    const connection = new Connection(signal);
    try {
      const headers = rangeHeaders(file.url, this.#received);
      const response = await connection.fetch(file.url, headers);
      const body = await this.#bodyToAppend(response);
      this.#received.validator ??= validatorOf(response);
      await this.#readAll(body, connection);
    } finally {
      connection.close();
    }
  }

  /** Takes up what is stored: of an earlier visit, or of before the connection broke. */
  async #pickUp(): Promise<void> {
    const { file, key, store, hash } = this.#transfer;
    const stored = await store.partial(key);
    // The browser, or somebody, has deleted some of it.
    if (!stored) return this.#startAnew();
    const validator = stored.segments[0]?.validator;
    // Without a hash or a version nobody could tell whether two parts are of one file.
    const isResumable = file.sha256 !== undefined || validator !== undefined;
    if (stored.bytes > 0 && !isResumable) return this.#startAnew();
    if (stored.bytes > 0 && stored.bytes === this.#received.bytes) return;
    hash.restart(file.size);
    try {
      for (const { blob } of stored.segments) hash.update(new Uint8Array(await blob.arrayBuffer()));
    } catch {
      // It cannot be read any more.
      return this.#startAnew();
    }
    this.#received = { bytes: stored.bytes, validator };
  }

  async #startAnew(): Promise<void> {
    const { file, key, store, hash } = this.#transfer;
    await store.removeFile(key);
    hash.restart(file.size);
    this.#received = { bytes: 0 };
  }

  async #bodyToAppend(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { file } = this.#transfer;
    const isRest = response.status === 206 && continues(response, this.#received, file.size);
    if (isRest && response.body) return response.body;
    if (response.status === 206 || response.status === 416) {
      await this.#startAnew();
      throw new Interruption('The file has changed.');
    }
    if (!response.ok || !response.body) throw httpError(file.url, response.status);
    // All of it: the server sends no parts, or the file is another one by now.
    if (this.#received.bytes > 0) await this.#startAnew();
    return response.body;
  }

  async #readAll(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    connection: Connection,
  ): Promise<void> {
    const { file, onBytes } = this.#transfer;
    // Not `for await`: Safari's streams are no async iterables.
    const reader = body.getReader();
    for (;;) {
      const read = await connection.waitFor(reader.read());
      if (read.done) return;
      await this.#take(read.value);
      onBytes(this.#received.bytes);
      // More than the file has: enough to know that it is another.
      if (file.size > 0 && this.#received.bytes > file.size) return;
    }
  }

  async #take(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#transfer.hash.update(chunk);
    this.#chunks.push(chunk);
    this.#chunkBytes += chunk.byteLength;
    this.#received.bytes += chunk.byteLength;
    if (this.#chunkBytes >= SEGMENT_BYTES) await this.#store();
  }

  /** Stores what has come; resolves when the segment before it is stored: one is on its way at most. */
  async #store(): Promise<void> {
    const { key, store } = this.#transfer;
    const { validator } = this.#received;
    await this.#writing;
    if (this.#chunkBytes === 0) return;
    const blob = new Blob(this.#chunks);
    const offset = this.#received.bytes - this.#chunkBytes;
    this.#chunks = [];
    this.#chunkBytes = 0;
    this.#writing = store.append(key, offset, {
      blob,
      ...(validator !== undefined && { validator }),
    });
    // Whoever waits for it sees the failure; until then it is nobody's unhandled rejection.
    this.#writing.catch(() => undefined);
  }
}

/** One request, given up when it brings nothing for too long. */
class Connection {
  readonly #stalled = new AbortController();
  readonly #signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = AbortSignal.any([signal, this.#stalled.signal]);
  }

  async fetch(url: string, headers: Record<string, string>): Promise<Response> {
    // Nothing is stored twice: what we keep, the browser's own cache need not.
    return this.waitFor(fetch(url, { signal: this.#signal, headers, cache: 'no-store' }));
  }

  /** @throws Interruption */
  async waitFor<T>(step: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    const stall = new Error(`Nothing came for ${STALL_MS / 1000} seconds.`);
    this.#timer = setTimeout(() => this.#stalled.abort(stall), STALL_MS);
    try {
      return await step;
    } catch (error) {
      throw new Interruption(error instanceof Error ? error.message : String(error));
    }
  }

  close(): void {
    clearTimeout(this.#timer);
    // What the server still sends of it is of no use.
    this.#stalled.abort();
  }
}

function length(bytes: number, { size }: SourceFile): string {
  return bytes > size ? `more than ${size} bytes` : `${bytes} of ${size} bytes`;
}

/** What may be otherwise in a moment is tried again. */
function httpError(url: string, status: number): Error {
  if (status >= 500 || status === 408 || status === 425 || status === 429) {
    return new Interruption(`HTTP ${status}`);
  }
  const error = serverError('engine_error', `Could not download ${url}: HTTP ${status}`);
  return status === 404 || status === 410 ? new FileGone(error.data) : error;
}
