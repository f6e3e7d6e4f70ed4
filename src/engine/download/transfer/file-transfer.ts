import { ApiError, serverError } from '../../../core/errors/errors.ts';
import type { Installation } from '../../../core/catalog/variant.ts';
import type { FileKey } from '../../../core/database/database.ts';
import type { WeightStore } from '../../../core/weights/weight-store.ts';
import { continues, rangeHeaders, validatorOf, type Received } from './byte-range.ts';
import type { FileHash } from './file-hash.ts';
import type { FetchFile } from '../installer/local-files.ts';
import type { Permits } from './permits.ts';
import { PieceReader } from './piece-reader.ts';
import type { Receiver } from './receiver.ts';
import type { Segment } from './segment.ts';
import { Interruption, retried, type Retry } from './retried.ts';
import { messageOf } from '../../../core/text/message-of.ts';

export type SourceFile = Installation['files'][number];

/** A connection without data for this long is closed, milliseconds. */
const STALL_MS = 30_000;
/** How many checks for data are made in this time. */
const LOOKS = 10;

/** Most segments that are being stored or waiting for it: storing one takes longer now and then. */
const MOST_WAITING = 3;

export interface Transfer {
  file: SourceFile;
  key: FileKey;
  store: WeightStore;
  /** Used by this transfer alone until it ends. */
  hash: FileHash;
  /** Used by this transfer alone until it ends. */
  segment: Segment;
  /** Held while bytes are being received. */
  line: Permits;
  onBytes: (bytes: number) => void;
  fetchFile: FetchFile;
  /** Gets the bytes too. */
  receiver?: Receiver | undefined;
  retry?: Retry | undefined;
}

/**
 * Downloads one file into the store. The received part is kept whatever happens: the next transfer
 * continues after it, unless the file has changed or the server cannot send a part. If the size or the
 * hash does not match, the file is downloaded once more from its start.
 *
 * @throws ApiError 500 if the file is missing at its source, cannot be downloaded, does not match its
 *   size or hash, or does not fit in storage
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

/** The size or the hash did not match, or a part is missing in the store; what was received is deleted. */
class WrongFile extends Error {}

class FileDownload {
  readonly #transfer: Transfer;
  #received: Received = { bytes: 0 };
  /** Each segment is stored after the one before it. */
  readonly #writes: Promise<void>[] = [];

  constructor(transfer: Transfer) {
    this.#transfer = transfer;
    // A failed transfer may have left bytes in it.
    transfer.segment.clear();
  }

  /** @throws WrongFile after deleting the stored part */
  async finish(signal: AbortSignal): Promise<void> {
    const { file, key, store, hash, retry } = this.#transfer;
    const attempt = () => this.#fetchRest(signal);
    await retried(file.url, attempt, () => this.#received.bytes, signal, retry);
    const { bytes } = this.#received;
    const sha256 = await hash.digest();
    const isWhole = bytes === file.size || file.size === 0;
    const isExpected = file.sha256 === undefined || file.sha256 === sha256;
    const isRight = isWhole && isExpected && sha256 !== undefined;
    if (isRight && (await store.complete(key, bytes, sha256))) return;
    await this.#restart();
    if (isRight) throw new WrongFile(`A part of ${file.url} was deleted while it was downloaded.`);
    const found = isWhole ? hashes(sha256, file) : length(bytes, file);
    throw new WrongFile(`${file.url} is not the expected file: ${found}.`);
  }

  async #fetchRest(signal: AbortSignal): Promise<void> {
    const { file, line } = this.#transfer;
    await this.#resume();
    if (file.size > 0 && this.#received.bytes >= file.size) return;
    try {
      await line.use(() => this.#receive(signal), signal);
    } finally {
      await this.#store();
      await this.#writes.at(-1);
    }
  }

  async #receive(signal: AbortSignal): Promise<void> {
    const { file, fetchFile } = this.#transfer;
    const connection = new Connection(signal);
    try {
      const headers = rangeHeaders(file.url, this.#received);
      const response = await connection.waitFor(
        // The browser's cache would store the file a second time.
        fetchFile(file.url, { signal: connection.signal, headers, cache: 'no-store' }),
      );
      const body = await this.#bodyToAppend(response);
      this.#received.validator ??= validatorOf(response);
      await this.#readAll(body, connection);
    } finally {
      connection.close();
    }
  }

  /** Continues after the stored part, from an earlier visit or from before the connection broke. */
  async #resume(): Promise<void> {
    const { file, key, store, hash } = this.#transfer;
    const stored = await store.partial(key);
    // The browser or the user has deleted a segment.
    if (!stored) return this.#restart();
    const validator = stored.segments[0]?.validator;
    // Without a hash or a version, two parts might be of different files.
    const isResumable = file.sha256 !== undefined || validator !== undefined;
    if (stored.bytes > 0 && !isResumable) return this.#restart();
    if (stored.bytes > 0 && stored.bytes === this.#received.bytes) return;
    if (stored.bytes > 0) this.#transfer.receiver?.giveUp();
    await hash.restart(file);
    try {
      for (const { blob } of stored.segments) hash.update(new Uint8Array(await blob.arrayBuffer()));
    } catch {
      // The stored part cannot be read.
      return this.#restart();
    }
    this.#received = { bytes: stored.bytes, validator };
  }

  async #restart(): Promise<void> {
    const { file, key, store, hash, receiver } = this.#transfer;
    if (this.#received.bytes > 0) receiver?.giveUp();
    await store.removeFile(key);
    await hash.restart(file);
    this.#received = { bytes: 0 };
  }

  async #bodyToAppend(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { file } = this.#transfer;
    const isRest = response.status === 206 && continues(response, this.#received, file.size);
    if (isRest && response.body) return response.body;
    if (response.status === 206 || response.status === 416) {
      await this.#restart();
      throw new Interruption('The file has changed.');
    }
    if (!response.ok || !response.body) throw httpError(file.url, response.status);
    // The response is the whole file: the server sends no parts, or the file has changed.
    if (this.#received.bytes > 0) await this.#restart();
    return response.body;
  }

  async #readAll(
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
    connection: Connection,
  ): Promise<void> {
    const { file, onBytes } = this.#transfer;
    const reader = new PieceReader(body);
    for (;;) {
      const piece = await connection.waitFor(reader.next());
      if (!piece) return;
      await this.#take(piece);
      onBytes(this.#received.bytes);
      // Too many bytes: this is a different file.
      if (file.size > 0 && this.#received.bytes > file.size) return;
    }
  }

  async #take(piece: Uint8Array): Promise<void> {
    const { segment } = this.#transfer;
    for (let rest = piece; rest.length > 0;) {
      const before = segment.length;
      rest = segment.add(rest);
      this.#received.bytes += segment.length - before;
      if (segment.isFull) await this.#store();
    }
  }

  /** Begins to store the received bytes. Waits for earlier segments if the device is slower than the network. */
  async #store(): Promise<void> {
    const { file, hash, segment, receiver } = this.#transfer;
    if (segment.length === 0) return;
    hash.update(segment.bytes);
    const write = this.#append(new Blob([segment.bytes]), this.#writes.at(-1));
    // A later await throws the error; until then it must not count as unhandled.
    write.catch(() => undefined);
    this.#writes.push(write);
    if (receiver) {
      const free = await receiver.take(file.path, [segment.give()]);
      if (free) segment.use(free);
    } else segment.clear();
    // The receiver already has the bytes, so that it need not wait for this.
    await Promise.all([this.#writes.at(-MOST_WAITING), hash.caughtUp()]);
  }

  /** Appends the segment with the bytes that were received last. */
  async #append(blob: Blob, before: Promise<void> | undefined): Promise<void> {
    const { key, store } = this.#transfer;
    const { bytes, validator } = this.#received;
    await before;
    await store.append(key, bytes - blob.size, {
      blob,
      ...(validator !== undefined && { validator }),
    });
  }
}

/** One request, which is aborted if no data arrives for too long. */
class Connection {
  readonly signal: AbortSignal;
  readonly #stalled = new AbortController();
  /** One timer for all steps: on a fast connection, a timer for each step would take much of the time. */
  readonly #timer = setInterval(() => this.#look(), STALL_MS / LOOKS);
  /** Checks in a row that found no data; undefined while we wait for the disk, not the network. */
  #idle: number | undefined;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#stalled.signal]);
  }

  /** @throws Interruption, or the ApiError of a step that cannot succeed */
  async waitFor<T>(step: Promise<T>): Promise<T> {
    this.#idle = 0;
    try {
      return await step;
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw new Interruption(messageOf(error));
    } finally {
      this.#idle = undefined;
    }
  }

  close(): void {
    clearInterval(this.#timer);
    // The rest of the response is not needed.
    this.#stalled.abort();
  }

  #look(): void {
    if (this.#idle === undefined || ++this.#idle <= LOOKS) return;
    this.#stalled.abort(new Error(`No data arrived for ${STALL_MS / 1000} seconds.`));
  }
}

function hashes(sha256: string | undefined, file: SourceFile): string {
  if (sha256 === undefined) return 'a piece of it has another SHA-256 than expected';
  return `SHA-256 ${sha256}, expected ${file.sha256 ?? 'any'}`;
}

function length(bytes: number, { size }: SourceFile): string {
  return bytes > size ? `more than ${size} bytes` : `${bytes} of ${size} bytes`;
}

/** Returns an Interruption for transient errors, so that they are retried. */
function httpError(url: string, status: number): Error {
  if (status >= 500 || status === 408 || status === 425 || status === 429) {
    return new Interruption(`HTTP ${status}`);
  }
  const error = serverError('engine_error', `Could not download ${url}: HTTP ${status}`);
  return status === 404 || status === 410 ? new FileGone(error.data) : error;
}
