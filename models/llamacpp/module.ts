/** Types of the JavaScript modules that `build.sh` makes: `built/llamacpp.js`, `-threads.js` and `-gpu.js`. */

/** Options of a new module. */
export interface LlamaModuleOptions {
  /** URL of the module's `.wasm`; default: beside the script. */
  locateFile?: (file: string) => string;
  /** Threads that may compute, the calling one included; default 1. Only `llamacpp-threads.js` can have more. */
  threads?: number;
  print?: (line: string) => void;
  printErr?: (line: string) => void;
}

/**
 * An instance of the module. `binding.h` describes the functions whose names begin with `_lc_`.
 *
 * Pointers above 2 GB are negative numbers: use `pointer >>> 0`. The views of the memory are replaced when it
 * grows, so take them from the module after each call.
 */
export interface LlamaModule {
  readonly HEAPU8: Uint8Array;
  readonly HEAP32: Int32Array;
  readonly HEAPF32: Float32Array;
  readonly FS: LlamaFiles;
  /**
   * Adds a file whose bytes are in the memory from `pointer` on, a multiple of 32. They are not copied: they stay
   * there as long as the model, and weights may be written after `_lc_load`.
   */
  addFileInMemory(path: string, pointer: number, size: number): void;
  _malloc(bytes: number): number;
  _free(pointer: number): void;
  _lc_error(): number;
  _lc_load(paths: number): number;
  _lc_vocabulary_size(): number;
  _lc_trained_context(): number;
  _lc_first_token(): number;
  _lc_goes_back(): number;
  _lc_ends_turn(token: number): number;
  _lc_is_control(token: number): number;
  _lc_weight_bytes(): number;
  _lc_tokenize(text: number, bytes: number, tokens: number, most: number): number;
  _lc_piece(token: number, bytes: number, most: number): number;
  _lc_quantize_cache(quantized: number): void;
  _lc_new_context(tokens: number, batch: number, threads: number): number;
  _lc_free_context(context: number): void;
  _lc_context_bytes(context: number): number;
  _lc_set_threads(context: number, threads: number): number;
  _lc_decode(
    context: number,
    tokens: number,
    count: number,
    position: number,
    outputs: number,
  ): number;
  _lc_decode_together(
    count: number,
    contexts: number,
    counts: number,
    positions: number,
    tokens: number,
  ): number;
  _lc_warm_up(context: number, count: number, milliseconds: number): number;
  _lc_begin_prefill(context: number, tokens: number, count: number, wantsLogits: number): number;
  _lc_continue_prefill(context: number, missing: number, count: number, threads: number): number;
  _lc_logits(context: number, before: number): number;
  _lc_keep(context: number, tokens: number): number;
  _lc_copy(from: number, to: number): number;
  _lc_begin_taking(context: number): number;
  _lc_take(bytes: number, most: number): number;
  _lc_begin_putting(context: number): number;
  _lc_put(bytes: number, count: number): number;
  _lc_end_putting(): number;
  _lc_abort_flag(): number;
  _lc_load_projector(path: number): number;
  _lc_pieces_are_whole(): number;
  _lc_new_image(width: number, height: number, pixels: number, low: number): number;
  _lc_free_image(image: number): void;
  _lc_image_layout(image: number, layout: number, most: number): number;
  _lc_begin_encoding(image: number, piece: number): number;
  _lc_encode(milliseconds: number, threads: number): number;
  _lc_decode_image(
    context: number,
    first: number,
    count: number,
    position: number,
    wantsLogits: number,
  ): number;
  _lc_pooling(): number;
  _lc_new_embedder(tokens: number, texts: number, threads: number): number;
  _lc_tokenize_text(text: number, bytes: number, tokens: number, most: number): number;
  _lc_tokenize_pair(
    query: number,
    queryBytes: number,
    document: number,
    documentBytes: number,
    tokens: number,
    most: number,
  ): number;
  _lc_embed(context: number, tokens: number, lengths: number, count: number): number;
  _lc_embedding_size(): number;
  _lc_embedding(context: number, text: number): number;
}

/** The part of emscripten's file system that tests need. */
export interface LlamaFiles {
  writeFile(path: string, bytes: Uint8Array): void;
  unlink(path: string): void;
}

/** Makes an instance; rejects if WebAssembly or its SIMD is missing. */
export type LlamaModuleFactory = (options?: LlamaModuleOptions) => Promise<LlamaModule>;

/** A GPU for `llamacpp-gpu.js`. */
export interface LlamaGpu {
  /** Has the feature `shader-f16`, and the limits that its adapter has. */
  device: GPUDevice;
  /** What its adapter says of itself. */
  info: Pick<GPUAdapterInfo, 'subgroupMinSize' | 'subgroupMaxSize'>;
  /** Whether the browser tells only at long intervals that the GPU is done, unless it is given something to do. */
  isSlowToTell?: boolean;
  /** Whether the CPU computes in its place. */
  isEmulated?: boolean;
}

/** Options of a new module that computes on a GPU. */
export interface LlamaGpuModuleOptions extends LlamaModuleOptions {
  /** Default: the CPU computes, with the same kernels as in `llamacpp.js`. */
  gpu?: LlamaGpu;
}

/** An instance of `llamacpp-gpu.js`. `webgpu/gpu.h` describes its further functions. */
export interface LlamaGpuModule extends LlamaModule {
  /**
   * Adds a file that stays outside the module's memory.
   *
   * @param read - gives bytes of the file, from `offset` on, at most `bytes`
   */
  addFileToRead(
    path: string,
    size: number,
    read: (offset: number, bytes: number) => Uint8Array,
  ): void;
  /**
   * Waits until the GPU is done, and the results of the last call are in the module's memory.
   *
   * @throws GPUOutOfMemoryError if the GPU lacks memory; DOMException if the device is lost
   */
  finishGpuWork(): Promise<void>;
  _lc_is_whole(context: number): number;
  _lc_fill_weights(tensor: number, offset: number, bytes: number, count: number): number;
  _lc_load_projector_on_gpu(path: number, side: number): number;
  _lc_begin_check(
    type: number,
    columns: number,
    rows: number,
    weights: number,
    tokens: number,
  ): number;
  _lc_end_check(): number;
}

/** Like `LlamaModuleFactory`, for `llamacpp-gpu.js`. */
export type LlamaGpuModuleFactory = (options?: LlamaGpuModuleOptions) => Promise<LlamaGpuModule>;
