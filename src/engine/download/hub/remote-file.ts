import type { ByteRanges } from '../../../core/files/gguf/gguf-header.ts';
import { modelNotFound, serverError } from '../../../core/errors/errors.ts';
import { validatorOf } from '../transfer/byte-range.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/**
 * Opens files on servers, and closes them when the work is done.
 *
 * @param files - their URLs, and their names for error messages
 * @throws ApiError 404 if there is no such file, 500 if it cannot be read
 */
export async function withRemoteFiles<T>(
  files: readonly { url: string; name: string }[],
  signal: AbortSignal,
  work: (opened: RemoteFile[]) => Promise<T>,
): Promise<T> {
  const opened: RemoteFile[] = [];
  try {
    for (const { url, name } of files) opened.push(await RemoteFile.open(url, name, signal));
    return await work(opened);
  } finally {
    for (const file of opened) file.close();
  }
}

/** Size of the first request, bytes. The headers of most small models fit. */
const FIRST_BYTES = 1 << 20;

/**
 * A file on a server, read sequentially from its start. If the server ignores ranges and sends the whole
 * file, `close` ends the transfer.
 */
export class RemoteFile implements ByteRanges {
  readonly name: string;
  /** Bytes; Infinity: the server does not tell. */
  size = Number.POSITIVE_INFINITY;
  /** The server's name for the file's version, if it has one. */
  validator: string | undefined;
  readonly #url: string;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  /** The response that is being read. Its next byte is byte `#received` of the file. */
  #body: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  #hasRanges = true;
  #received = 0;
  /** Pieces that are received but not read yet. */
  #ahead: Uint8Array[] = [];
  /** The offset of the next read. */
  #position = 0;

  /**
   * @param name - for error messages
   * @throws ApiError 404 if there is no such file, 500 if it cannot be read
   */
  static async open(url: string, name: string, signal: AbortSignal): Promise<RemoteFile> {
    const file = new RemoteFile(url, name, signal);
    try {
      await file.#open();
      return file;
    } catch (error) {
      file.close();
      throw error;
    }
  }

  private constructor(url: string, name: string, signal: AbortSignal) {
    this.#url = url;
    this.name = name;
    this.#signal = AbortSignal.any([signal, this.#ending.signal]);
  }

  /** The next bytes; fewer than `length` at the end of the file. @throws RangeError for any other offset */
  async read(offset: number, length: number): Promise<Uint8Array> {
    if (offset !== this.#position)
      throw new RangeError(`${this.name} is read from its beginning on.`);
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const piece = this.#ahead.shift() ?? (await this.#receive(length - filled));
      if (!piece) break;
      const taken = piece.subarray(0, length - filled);
      bytes.set(taken, filled);
      filled += taken.length;
      if (taken.length < piece.length) this.#ahead.unshift(piece.subarray(taken.length));
    }
    this.#position += filled;
    return bytes.subarray(0, filled);
  }

  /** Ends the transfer. */
  close(): void {
    this.#ending.abort();
  }

  async #open(): Promise<void> {
    const response = await this.#request(0, FIRST_BYTES);
    this.validator = validatorOf(response);
    this.size = sizeOf(response) ?? (await this.#sizeByHead(response)) ?? this.size;
    await this.#receiveFirst();
  }

  /** If the file ends within its first bytes, its size is known even if the server does not send it. */
  async #receiveFirst(): Promise<void> {
    const pieces: Uint8Array[] = [];
    while (this.#received < FIRST_BYTES) {
      const piece = await this.#next();
      if (!piece) break;
      pieces.push(piece);
    }
    this.#ahead = pieces;
    if (this.#received < FIRST_BYTES && this.size === Number.POSITIVE_INFINITY) {
      this.size = this.#received;
    }
  }

  async #receive(length: number): Promise<Uint8Array | undefined> {
    const piece = await this.#next();
    if (piece || !this.#hasRanges || this.#received >= this.size) return piece;
    await this.#request(this.#received, length);
    return this.#next();
  }

  /** The next piece of the response; undefined at its end. */
  async #next(): Promise<Uint8Array | undefined> {
    const read = await this.#attempt(async () => this.#body?.read());
    if (!read || read.done) return undefined;
    this.#received += read.value.length;
    return read.value;
  }

  async #request(start: number, length: number): Promise<Response> {
    const headers = { range: `bytes=${start}-${start + length - 1}` };
    const response = await this.#fetch({ headers });
    if (!response.ok) throw httpError(this.#url, response.status);
    this.#hasRanges = response.status === 206;
    if (start > 0 && !this.#hasRanges) {
      throw serverError('engine_error', `${this.#url} changed while it was read.`);
    }
    this.#body = response.body?.getReader();
    return response;
  }

  /** A server may send ranges but hide the header with the total size from other origins. */
  async #sizeByHead({ status }: Response): Promise<number | undefined> {
    if (status !== 206) return undefined;
    const response = await this.#fetch({ method: 'HEAD' }).catch(() => undefined);
    return response?.ok ? sizeOf(response) : undefined;
  }

  #fetch(init: RequestInit): Promise<Response> {
    // The browser's cache would store a part of the file.
    const request = { ...init, signal: this.#signal, cache: 'no-store' } as const;
    return this.#attempt(() => fetch(this.#url, request));
  }

  async #attempt<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.#signal.throwIfAborted();
      const why = messageOf(error);
      throw serverError(
        'engine_error',
        `${this.#url} cannot be read from this page: its server cannot be reached, or does not allow ` +
          `other sites to read it (CORS). ${why}`,
      );
    }
  }
}

function httpError(url: string, status: number) {
  // Hubs answer 401 for files that do not exist.
  return [401, 403, 404, 410].includes(status)
    ? modelNotFound(url, `Its server answered ${status}.`)
    : serverError('engine_error', `${url} cannot be read: its server answered ${status}.`);
}

/** The size of the whole file, if the response states it. */
function sizeOf(response: Response): number | undefined {
  if (response.status === 206) {
    const [, total] =
      /^bytes \d+-\d+\/(\d+)$/.exec(response.headers.get('content-range') ?? '') ?? [];
    return total === undefined ? undefined : Number(total);
  }
  // The length of a compressed transfer is not the file's size.
  if (response.headers.get('content-encoding') !== null) return undefined;
  const length = response.headers.get('content-length');
  return length === null ? undefined : Number(length);
}
