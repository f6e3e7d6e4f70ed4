import type { LlamaModule } from '../../../models/llamacpp/module.ts';
import type { ImageSize } from '../../core/image-file.ts';
import { LlamaError, type LlamaFailure } from './llama-error.ts';

/** A pointer into the module's memory, bytes from its start. */
type Pointer = number;

/** LC_FAILED and LC_NO_MEMORY of binding.h. */
const FAILURES: Partial<Record<number, LlamaFailure>> = { [-1]: 'failed', [-2]: 'no_memory' };
/** Bytes of an int and of a float. */
const WORD = 4;
/** Room for most tokens and most pieces; for more, it is enlarged. */
const FIRST_ROOM = 4096;

/** An image of which a model sees as much as it can. */
const LARGE = { width: 4096, height: 4096 };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** llama.cpp with one model: the functions of binding.h, without their pointers. All throw LlamaError. */
export class Llama {
  readonly #module: LlamaModule;
  #batchSize: number;
  /** Memory for results. */
  #room: { pointer: Pointer; bytes: number };
  readonly vocabularySize: number;
  /** Tokens. */
  readonly trainedContext: number;
  /** The token that each prompt must begin with; undefined: none. */
  readonly firstToken: number | undefined;
  /** The tokens that end a turn. */
  readonly stopTokenIds: readonly number[];
  /** Whether all tokens of an image's piece are computed in one batch. */
  piecesAreWhole = false;

  /**
   * Loads a model. Only the headers of its files are read: the weights may come later, before the first `decode`.
   *
   * @param paths - of its files in the module, in order
   * @param batchSize - most tokens that are computed at once
   */
  constructor(module: LlamaModule, paths: readonly string[], batchSize: number) {
    this.#module = module;
    this.#batchSize = batchSize;
    this.#room = { pointer: this.#allocate(FIRST_ROOM), bytes: FIRST_ROOM };
    this.#load(paths);
    this.vocabularySize = module._lc_vocabulary_size();
    this.trainedContext = module._lc_trained_context();
    const first = module._lc_first_token();
    this.firstToken = first < 0 ? undefined : first;
    this.stopTokenIds = Array.from({ length: this.vocabularySize }, (_, token) => token).filter(
      (token) => module._lc_ends_turn(token) === 1,
    );
  }

  /** The tokens of a text. Texts of control tokens become these tokens. */
  tokenize(text: string): number[] {
    const bytes = encoder.encode(text);
    const pointer = this.#allocate(bytes.length);
    this.#module.HEAPU8.set(bytes, pointer);
    try {
      const count = this.#fill(WORD, (room, most) =>
        this.#module._lc_tokenize(pointer, bytes.length, room, most),
      );
      const start = this.#room.pointer / WORD;
      return [...this.#module.HEAP32.subarray(start, start + count)];
    } finally {
      this.#module._free(pointer);
    }
  }

  /** The UTF-8 bytes of a token, perhaps only part of a character. Control tokens give their text. */
  bytes(token: number): Uint8Array {
    const length = this.#fill(1, (room, most) => this.#module._lc_piece(token, room, most));
    const { pointer } = this.#room;
    return this.#module.HEAPU8.slice(pointer, pointer + length);
  }

  /** Makes a context with an empty KV cache, which computes with one thread. @returns its number */
  newContext(tokens: number): number {
    return this.#check(this.#module._lc_new_context(tokens, this.#batchSize, 1));
  }

  /** Memory of a context, bytes. */
  contextBytes(context: number): number {
    return this.#check(this.#module._lc_context_bytes(context));
  }

  /** With how many threads the context computes from now on; at most as many as the module has. */
  setThreads(context: number, threads: number): void {
    this.#check(this.#module._lc_set_threads(context, threads));
  }

  /**
   * Computes the tokens that follow `position` tokens in the KV cache.
   *
   * @param tokens - at most as many as a batch has
   */
  decode(context: number, tokens: readonly number[], position: number, wantsLogits: boolean): void {
    const { pointer } = this.#room;
    const { length } = tokens;
    this.#module.HEAP32.set(tokens, pointer / WORD);
    this.#check(this.#module._lc_decode(context, pointer, length, position, wantsLogits ? 1 : 0));
  }

  /** The last logits, which may be changed in place; valid until anything else is called. */
  logits(context: number): Float32Array {
    const pointer = this.#module._lc_logits(context) >>> 0;
    if (pointer === 0) throw this.#error('broken');
    return this.#module.HEAPF32.subarray(pointer / WORD, pointer / WORD + this.vocabularySize);
  }

  /**
   * Truncates a KV cache to its first positions.
   *
   * @returns false if the model's architecture cannot do that: the KV cache is then empty
   */
  keep(context: number, positions: number): boolean {
    return this.#check(this.#module._lc_keep(context, positions)) === 1;
  }

  /**
   * Loads the model's projector, before any context is made.
   *
   * @param path - of its file in the module, all of which must be there
   */
  loadProjector(path: string): void {
    this.#withText(path, (text) => this.#module._lc_load_projector(text));
    this.piecesAreWhole = this.#check(this.#module._lc_pieces_are_whole()) === 1;
    if (this.piecesAreWhole) this.#batchSize = Math.max(this.#batchSize, this.#largestPiece());
  }

  /**
   * Makes an image.
   *
   * @param rgb - three bytes a pixel; undefined: the image is only counted
   * @param isLow - whether it takes as few tokens as it can
   * @returns its number
   */
  newImage({ width, height }: ImageSize, rgb: Uint8Array | undefined, isLow: boolean): number {
    const pointer = rgb ? this.#allocate(rgb.length) : 0;
    if (rgb) this.#module.HEAPU8.set(rgb, pointer);
    try {
      return this.#check(this.#module._lc_new_image(width, height, pointer, isLow ? 1 : 0));
    } finally {
      if (rgb) this.#module._free(pointer);
    }
  }

  freeImage(image: number): void {
    this.#module._lc_free_image(image);
  }

  /** The tokens of an image: of text, their ids; of each piece, two numbers: -tokens, positions. */
  imageLayout(image: number): number[] {
    const count = this.#fill(WORD, (room, most) =>
      this.#module._lc_image_layout(image, room, most),
    );
    const start = this.#room.pointer / WORD;
    return [...this.#module.HEAP32.subarray(start, start + count)];
  }

  /** Begins to encode a piece of an image. @returns the number of steps */
  beginEncoding(image: number, piece: number): number {
    return this.#check(this.#module._lc_begin_encoding(image, piece));
  }

  /** Encodes for some milliseconds, at least a step. @returns the number of steps that are left */
  encode(milliseconds: number, threads: number): number {
    return this.#check(this.#module._lc_encode(milliseconds, threads));
  }

  /**
   * Computes tokens of the piece that was encoded last.
   *
   * @param first - of these tokens
   * @param position - where the piece begins
   */
  decodeImage(
    context: number,
    first: number,
    count: number,
    position: number,
    wantsLogits: boolean,
  ): void {
    const logits = wantsLogits ? 1 : 0;
    this.#check(this.#module._lc_decode_image(context, first, count, position, logits));
  }

  /** Replaces a KV cache by a copy of another one. */
  copy(from: number, to: number): void {
    this.#check(this.#module._lc_copy(from, to));
  }

  /** Tokens of the largest piece of an image. */
  #largestPiece(): number {
    const image = this.newImage(LARGE, undefined, false);
    const pieces = this.imageLayout(image).filter((number) => number < 0);
    this.freeImage(image);
    return Math.max(...pieces.map((tokens) => -tokens));
  }

  #load(paths: readonly string[]): void {
    const lines = paths.map((path) => `${path}\n`).join('');
    this.#withText(lines, (text) => this.#module._lc_load(text));
  }

  /** Calls a function with a text that ends in 0. */
  #withText(text: string, call: (text: Pointer) => number): void {
    const bytes = encoder.encode(`${text}\0`);
    const pointer = this.#allocate(bytes.length);
    this.#module.HEAPU8.set(bytes, pointer);
    try {
      this.#check(call(pointer));
    } finally {
      this.#module._free(pointer);
    }
  }

  /** Calls a function that fills the room with items, again with more room if they do not fit. */
  #fill(itemBytes: number, call: (room: Pointer, most: number) => number): number {
    const count = this.#check(call(this.#room.pointer, this.#room.bytes / itemBytes));
    if (count * itemBytes <= this.#room.bytes) return count;
    const bytes = count * itemBytes;
    this.#module._free(this.#room.pointer);
    this.#room = { pointer: this.#allocate(bytes), bytes };
    return this.#check(call(this.#room.pointer, count));
  }

  #allocate(bytes: number): Pointer {
    const pointer = this.#module._malloc(Math.max(1, bytes)) >>> 0;
    if (pointer === 0) throw new LlamaError('no_memory', 'There is not enough memory.');
    return pointer;
  }

  #check(result: number): number {
    if (result < 0) throw this.#error(FAILURES[result] ?? 'broken');
    return result;
  }

  #error(failure: LlamaFailure): LlamaError {
    const { HEAPU8 } = this.#module;
    const start = this.#module._lc_error() >>> 0;
    return new LlamaError(failure, decoder.decode(HEAPU8.slice(start, HEAPU8.indexOf(0, start))));
  }
}
