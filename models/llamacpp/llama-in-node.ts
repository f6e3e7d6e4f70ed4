import makeLlama from './built/llamacpp.js';
import type { LlamaModule, LlamaModuleFactory, LlamaModuleOptions } from './module.ts';

/** Files that llama.cpp finds under these paths. */
export type Files = Record<string, Uint8Array>;

/** Upper limit for the ints of an image's layout. */
const LONGEST_LAYOUT = 4096;

/**
 * llama.cpp in Node, with numbers and strings in place of pointers. Failures are thrown as Errors with llama.cpp's own
 * message.
 */
export class LlamaInNode<Module extends LlamaModule = LlamaModule> {
  readonly module: Module;

  protected constructor(module: Module) {
    this.module = module;
  }

  static async start(
    make: LlamaModuleFactory = makeLlama,
    options: LlamaModuleOptions = {},
  ): Promise<LlamaInNode> {
    return new LlamaInNode(await make(options));
  }

  /** Starts a module with the model in these files, which are its parts in order. */
  static async load(
    files: Files,
    make?: LlamaModuleFactory,
    options?: LlamaModuleOptions,
  ): Promise<LlamaInNode> {
    const llama = await LlamaInNode.start(make, options);
    for (const [path, bytes] of Object.entries(files)) llama.module.FS.writeFile(path, bytes);
    llama.loadPaths(Object.keys(files));
    return llama;
  }

  loadPaths(paths: string[]): void {
    this.checked(this.module._lc_load(this.#text(paths.map((path) => `${path}\n`).join(''))));
  }

  tokenize(text: string): number[] {
    const bytes = Buffer.byteLength(text);
    const most = bytes + 8;
    const tokens = this.module._malloc(4 * most);
    const count = this.module._lc_tokenize(this.#text(text), bytes, tokens, most);
    return this.#ints(tokens, this.checked(count));
  }

  piece(token: number): string {
    const bytes = this.module._malloc(64);
    const count = this.checked(this.module._lc_piece(token, bytes, 64));
    return Buffer.from(this.module.HEAPU8.slice(bytes, bytes + count)).toString();
  }

  /** Chooses the KV caches of contexts that are made from now on. */
  set quantizesCache(quantized: boolean) {
    this.module._lc_quantize_cache(Number(quantized));
  }

  newContext(tokens: number, batch: number, threads = 1): number {
    return this.checked(this.module._lc_new_context(tokens, batch, threads));
  }

  /** @returns what `lc_decode` returns */
  decode(context: number, tokens: number[], position: number, outputs = 1): number {
    const pointer = this.#pointerTo(tokens);
    const result = this.module._lc_decode(context, pointer, tokens.length, position, outputs);
    this.module._free(pointer);
    return this.checked(result);
  }

  /** @returns what `lc_decode_together` returns */
  decodeTogether(batches: { context: number; tokens: number[]; position: number }[]): number {
    const pointers = [
      batches.map(({ context }) => context),
      batches.map(({ tokens }) => tokens.length),
      batches.map(({ position }) => position),
      batches.flatMap(({ tokens }) => tokens),
    ].map((ints) => this.#pointerTo(ints));
    const [contexts = 0, counts = 0, positions = 0, tokens = 0] = pointers;
    const { module } = this;
    const result = module._lc_decode_together(batches.length, contexts, counts, positions, tokens);
    for (const pointer of pointers) module._free(pointer);
    return this.checked(result);
  }

  beginPrefill(context: number, tokens: number[], wantsLogits = true): void {
    const pointer = this.#pointerTo(tokens);
    const logits = Number(wantsLogits);
    const result = this.module._lc_begin_prefill(context, pointer, tokens.length, logits);
    this.module._free(pointer);
    this.checked(result);
  }

  /** @param missing - the start and the end of each range of memory @returns the number of steps that are left */
  continuePrefill(context: number, missing: number[] = [], threads = 1): number {
    const pointer = this.#pointerTo(missing);
    const count = missing.length / 2;
    const result = this.module._lc_continue_prefill(context, pointer, count, threads);
    this.module._free(pointer);
    return this.checked(result);
  }

  /** @param before - how many tokens of the last batch follow the one whose logits these are */
  logits(context: number, before = 0): number[] {
    const start = this.module._lc_logits(context, before) >>> 2;
    return [...this.module.HEAPF32.subarray(start, start + this.module._lc_vocabulary_size())];
  }

  /** @param load - default: the CPU computes it */
  loadProjector(
    path: string,
    load = (text: number): number => this.module._lc_load_projector(text),
  ): void {
    this.checked(load(this.#text(path)));
  }

  /** @param pixels - three bytes each; undefined: the image is only counted */
  newImage(width: number, height: number, pixels?: Uint8Array, low = false): number {
    const pointer = pixels ? this.module._malloc(pixels.length) : 0;
    if (pixels) this.module.HEAPU8.set(pixels, pointer);
    const image = this.module._lc_new_image(width, height, pointer, Number(low));
    this.module._free(pointer);
    return this.checked(image);
  }

  imageLayout(image: number): number[] {
    const layout = this.module._malloc(4 * LONGEST_LAYOUT);
    const count = this.module._lc_image_layout(image, layout, LONGEST_LAYOUT);
    return this.#ints(layout, this.checked(count));
  }

  /** Encodes a piece of an image. @returns the number of steps that it took */
  encode(image: number, piece: number, milliseconds = Infinity, threads = 1): number {
    this.beginEncoding(image, piece);
    for (let steps = 1; ; steps++) {
      if (this.checked(this.module._lc_encode(milliseconds, threads)) === 0) return steps;
    }
  }

  protected beginEncoding(image: number, piece: number): void {
    this.checked(this.module._lc_begin_encoding(image, piece));
  }

  /** @returns what `lc_decode_image` returns */
  decodeImage(context: number, first: number, count: number, position: number): number {
    return this.checked(this.module._lc_decode_image(context, first, count, position, 0));
  }

  newEmbedder(tokens: number, texts: number, threads = 1): number {
    return this.checked(this.module._lc_new_embedder(tokens, texts, threads));
  }

  /** The tokens that an embedder reads for a text. */
  tokenizeText(text: string): number[] {
    const bytes = Buffer.byteLength(text);
    const most = bytes + 8;
    const tokens = this.module._malloc(4 * most);
    const count = this.module._lc_tokenize_text(this.#text(text), bytes, tokens, most);
    return this.#ints(tokens, this.checked(count));
  }

  /** @returns the vector of each text */
  embed(context: number, texts: number[][]): number[][] {
    this.startEmbedding(context, texts);
    return this.vectors(context, texts.length);
  }

  protected startEmbedding(context: number, texts: number[][]): void {
    const tokens = this.module._malloc(4 * texts.flat().length);
    const lengths = this.module._malloc(4 * texts.length);
    this.module.HEAP32.set(texts.flat(), tokens >>> 2);
    this.module.HEAP32.set(
      texts.map(({ length }) => length),
      lengths >>> 2,
    );
    this.checked(this.module._lc_embed(context, tokens, lengths, texts.length));
  }

  protected vectors(context: number, texts: number): number[][] {
    const size = this.checked(this.module._lc_embedding_size());
    return Array.from({ length: texts }, (_, text) => {
      const start = this.module._lc_embedding(context, text) >>> 2;
      return [...this.module.HEAPF32.subarray(start, start + size)];
    });
  }

  keep(context: number, tokens: number): number {
    return this.checked(this.module._lc_keep(context, tokens));
  }

  copy(from: number, to: number): void {
    this.checked(this.module._lc_copy(from, to));
  }

  /** What a KV cache holds, in pieces of at most `size` bytes. */
  async state(context: number, size: number): Promise<Uint8Array<ArrayBuffer>[]> {
    const bytes = this.checked(this.module._lc_begin_taking(context));
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const pointer = this.module._malloc(size);
    for (let taken = 0; taken < bytes;) {
      const count = this.checked(this.module._lc_take(pointer, size));
      await this.settled();
      pieces.push(this.module.HEAPU8.slice(pointer, pointer + count));
      taken += count;
    }
    this.module._free(pointer);
    return pieces;
  }

  /** @returns the number of positions in the KV cache */
  putState(context: number, pieces: readonly Uint8Array[]): number {
    this.checked(this.module._lc_begin_putting(context));
    for (const piece of pieces) {
      const pointer = this.module._malloc(piece.length);
      this.module.HEAPU8.set(piece, pointer);
      const result = this.module._lc_put(pointer, piece.length);
      this.module._free(pointer);
      this.checked(result);
    }
    return this.checked(this.module._lc_end_putting());
  }

  set aborted(aborted: boolean) {
    this.module.HEAP32[this.module._lc_abort_flag() >>> 2] = Number(aborted);
  }

  /** Resolves when results are in the module's memory. */
  protected async settled(): Promise<void> {}

  protected checked(result: number): number {
    if (result >= 0) return result;
    const start = this.module._lc_error();
    const end = this.module.HEAPU8.indexOf(0, start);
    throw new Error(`${result}: ${Buffer.from(this.module.HEAPU8.slice(start, end)).toString()}`);
  }

  #text(text: string): number {
    const bytes = Buffer.from(`${text}\0`);
    const pointer = this.module._malloc(bytes.length);
    this.module.HEAPU8.set(bytes, pointer);
    return pointer;
  }

  /** Copies the ints into the module's memory. The caller frees them. */
  #pointerTo(ints: number[]): number {
    const pointer = this.module._malloc(4 * ints.length);
    this.module.HEAP32.set(ints, pointer >>> 2);
    return pointer;
  }

  #ints(pointer: number, count: number): number[] {
    return [...this.module.HEAP32.subarray(pointer >>> 2, (pointer >>> 2) + count)];
  }
}
