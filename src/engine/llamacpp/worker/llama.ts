import type { LlamaModule } from '../../../../models/llamacpp/module.ts';
import type { ImageSize } from '../../../core/files/images/image-file.ts';
import type { Batch } from './batches/batch.ts';
import { ModuleCalls, WORD } from './module-calls.ts';

/** The most tokens of a context that can have logits in a batch: LC_MOST_OUTPUTS. */
export const MOST_OUTPUTS = 8;

/** Sizes of images that are large enough to take the most tokens. */
const [LARGE, WIDE] = [
  { width: 4096, height: 4096 },
  { width: 4096, height: 2048 },
];

/** llama.cpp with one model: the functions of binding.h, without their pointers. All throw LlamaError. */
export class Llama {
  readonly #module: LlamaModule;
  readonly #calls: ModuleCalls;
  #batchSize: number;
  readonly vocabularySize: number;
  /** Tokens. */
  readonly trainedContext: number;
  /** The token that each prompt must begin with; undefined: none. */
  readonly firstToken: number | undefined;
  /** Whether tokens can be removed from the end of a KV cache, so that others take their place. */
  readonly goesBack: boolean;
  /** The tokens that end a turn. */
  readonly stopTokenIds: readonly number[];
  /** Whether all tokens of an image's piece are computed in one batch. */
  piecesAreWhole = false;

  /**
   * Loads a model. Only the headers of its files are read: the weights may arrive later, before the first `decode`.
   *
   * @param paths - of its files in the module, in order
   * @param batchSize - most tokens that are computed at once
   */
  constructor(module: LlamaModule, paths: readonly string[], batchSize: number) {
    this.#module = module;
    this.#batchSize = batchSize;
    this.#calls = new ModuleCalls(module);
    this.#calls.loadModel(paths);
    this.vocabularySize = module._lc_vocabulary_size();
    this.trainedContext = module._lc_trained_context();
    this.goesBack = module._lc_goes_back() === 1;
    const first = module._lc_first_token();
    this.firstToken = first < 0 ? undefined : first;
    this.stopTokenIds = Array.from({ length: this.vocabularySize }, (_, token) => token).filter(
      (token) => module._lc_ends_turn(token) === 1,
    );
  }

  /** The tokens of a text. Texts of control tokens become these tokens. */
  tokenize(text: string): number[] {
    return this.#calls.withText(text, (pointer, bytes) =>
      this.#calls.ints((room, most) => this.#module._lc_tokenize(pointer, bytes, room, most)),
    );
  }

  /** The UTF-8 bytes of a token, perhaps only part of a character. Control tokens give their text. */
  bytes(token: number): Uint8Array {
    return this.#calls.bytes((room, most) => this.#module._lc_piece(token, room, most));
  }

  /** Makes a context with an empty KV cache, which computes with one thread. @returns its number */
  newContext(tokens: number): number {
    return this.#check(this.#module._lc_new_context(tokens, this.#batchSize, 1));
  }

  freeContext(context: number): void {
    this.#module._lc_free_context(context);
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
   * Computes the tokens that follow `position` tokens in the KV cache. If there are more in it, they are removed first.
   *
   * @param tokens - at most as many as a batch has
   * @param outputs - after how many of them, from the last one on, there will be logits; at most MOST_OUTPUTS
   */
  decode(context: number, tokens: readonly number[], position: number, outputs: number): void {
    this.#calls.withInts(tokens, (pointer) =>
      this.#check(this.#module._lc_decode(context, pointer, tokens.length, position, outputs)),
    );
  }

  /**
   * Computes tokens of several contexts at once, as if `decode` was called for each. All have logits, which are valid
   * until the next call.
   *
   * @param batches - of different contexts, at most MOST_TOGETHER
   */
  decodeTogether(batches: readonly Batch[]): void {
    const { length } = batches;
    const ints = [
      ...batches.map(({ context }) => context),
      ...batches.map(({ tokens }) => tokens.length),
      ...batches.map(({ position }) => position),
      ...batches.flatMap(({ tokens }) => tokens),
    ];
    this.#calls.withInts(ints, (pointer) => {
      const at = (index: number) => pointer + index * length * WORD;
      this.#check(this.#module._lc_decode_together(length, at(0), at(1), at(2), at(3)));
    });
  }

  /**
   * Computes some tokens with an empty KV cache and discards the result, so that the browser compiles the code that a
   * prompt needs. The weights need not have arrived.
   *
   * @param milliseconds - it ends after this time, done or not
   */
  warmUp(context: number, tokens: number, milliseconds: number): void {
    this.#check(this.#module._lc_warm_up(context, tokens, milliseconds));
  }

  /**
   * Begins to compute the first tokens of a context, while weights are missing. Any other use of the KV cache gives
   * this up, and empties the cache.
   *
   * @param tokens - at most as many as a batch has
   */
  beginPrefill(context: number, tokens: readonly number[], wantsLogits: boolean): void {
    const logits = wantsLogits ? 1 : 0;
    this.#calls.withInts(tokens, (pointer) =>
      this.#check(this.#module._lc_begin_prefill(context, pointer, tokens.length, logits)),
    );
  }

  /**
   * Computes as many steps as the weights that have arrived permit.
   *
   * @param missing - memory that is not filled yet: the start and the end of each range
   * @returns how many steps are left; at 0, the state is as if `decode` had computed the tokens
   */
  continuePrefill(context: number, missing: readonly number[], threads: number): number {
    return this.#calls.withInts(missing, (pointer) =>
      this.#check(this.#module._lc_continue_prefill(context, pointer, missing.length / 2, threads)),
    );
  }

  /**
   * The logits after a token of the context's last batch, which may be changed in place; valid until the next call of
   * `decode`.
   *
   * @param before - how many of its tokens in the batch follow it
   */
  logits(context: number, before = 0): Float32Array {
    const pointer = this.#module._lc_logits(context, before) >>> 0;
    if (pointer === 0) throw this.#calls.error('broken');
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
   * @param path - of its file in the module; the whole file must have arrived
   * @param load - default: the CPU computes it
   */
  loadProjector(
    path: string,
    load = (text: number): number => this.#module._lc_load_projector(text),
  ): void {
    this.#calls.withText(`${path}\0`, (text) => this.#check(load(text)));
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
    const make = (pointer: number) =>
      this.#check(this.#module._lc_new_image(width, height, pointer, isLow ? 1 : 0));
    return rgb ? this.#calls.withBytes(rgb, make) : make(0);
  }

  freeImage(image: number): void {
    this.#module._lc_free_image(image);
  }

  /** The layout of an image: the ids of its text tokens; for each piece, two numbers: -tokens, positions. */
  imageLayout(image: number): number[] {
    return this.#calls.ints((room, most) => this.#module._lc_image_layout(image, room, most));
  }

  /** Begins to encode a piece of an image. @returns the number of steps */
  beginEncoding(image: number, piece: number): number {
    return this.#check(this.#module._lc_begin_encoding(image, piece));
  }

  /** Encodes for some milliseconds, at least a step; on a GPU, a layer or so. @returns the number of steps that are left */
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

  /** Begins to take out what a KV cache holds, which must not change before all is taken. @returns its bytes */
  beginTaking(context: number): number {
    return this.#check(this.#module._lc_begin_taking(context));
  }

  /**
   * Takes out the next bytes; none: that was all.
   *
   * @param most - a multiple of 4
   * @param settled - waits until they are in the module's memory
   */
  async take(most: number, settled: () => void | Promise<void>): Promise<Uint8Array<ArrayBuffer>> {
    const pointer = this.#calls.allocate(most);
    try {
      const count = this.#check(this.#module._lc_take(pointer, most));
      await settled();
      return this.#module.HEAPU8.slice(pointer, pointer + count);
    } finally {
      this.#module._free(pointer);
    }
  }

  /** Empties a KV cache, and begins to put into it what was taken out of another one. */
  beginPutting(context: number): void {
    this.#check(this.#module._lc_begin_putting(context));
  }

  /** Puts the next bytes. */
  put(bytes: Uint8Array): void {
    this.#calls.withBytes(bytes, (pointer, count) =>
      this.#check(this.#module._lc_put(pointer, count)),
    );
  }

  /** Fails if bytes are missing. @returns how many positions the KV cache holds */
  endPutting(): number {
    return this.#check(this.#module._lc_end_putting());
  }

  /**
   * Most tokens of a piece of an image. If a model keeps an image's proportions, some images fill its limit better
   * than a square does; but the next larger square would exceed the limit.
   */
  #largestPiece(): number {
    const [square, wide] = [this.#tokensOfPiece(LARGE), this.#tokensOfPiece(WIDE)];
    return wide === square ? square : (Math.floor(Math.sqrt(square)) + 1) ** 2 - 1;
  }

  /** Tokens of the image's largest piece. */
  #tokensOfPiece(size: ImageSize): number {
    const image = this.newImage(size, undefined, false);
    const pieces = this.imageLayout(image).filter((number) => number < 0);
    this.freeImage(image);
    return Math.max(...pieces.map((tokens) => -tokens));
  }

  #check(result: number): number {
    return this.#calls.check(result);
  }
}
