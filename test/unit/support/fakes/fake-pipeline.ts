import { end, token, type FakeChunk } from './fake-mlc-engine.ts';

/** A KV cache whose tokens can be seen. */
export interface FakeKvCache {
  /** Undefined until the cache has a sequence. */
  tokens: number[] | undefined;
  disposed: boolean;
  dispose(): void;
}

/** Bytes of a fake cache, and of all the model's weights. */
export const CACHE_BYTES = 100;
const WEIGHT_BYTES = 2 * 3 * 4;

export const encode = (text: string): number[] =>
  Array.from(text, (character) => character.charCodeAt(0));
export const decode = (tokens: readonly number[] = []): string => String.fromCharCode(...tokens);

/** A part of a prompt that WebLLM reads: tokens, or an image by its URL. */
type FakePart = readonly number[] | { url: string };

/** Stands for each token of an image that was read. */
export const IMAGE_TOKEN = '#';

/** WebLLM's pipeline as far as we reach into it: a character is a token. */
export class FakePipeline {
  logitProcessor: object | undefined = undefined;
  device = { sync: () => Promise.resolve() };
  filledKVCacheLength = 0;
  contextWindowSize = 1000;
  slidingWindowSize = -1;
  prefillChunkSize = 64;
  outputIds: number[] = [];
  rnnState: object | undefined = undefined;
  artifact: object | undefined = undefined;
  readonly caches: FakeKvCache[] = [];
  /** What every `vm` and `tvm` has. */
  functions = ['vm.builtin.kv_state_popn', 'create_tir_paged_kv_cache'];
  hasMemory = true;
  /** Called when the prompt has been read. */
  onPrefilled: () => void = () => undefined;
  prefilled: string[] = [];
  #prompt = '';
  #scopes = 0;
  kvCache: FakeKvCache = this.#newCache();

  readonly tokenizer = {
    encode: (text: string) => Int32Array.from(encode(text)),
    decode: (ids: Int32Array) => decode([...ids]),
  };
  readonly params = {
    size: () => 2,
    get: () => this.#scoped({ shape: [3, 2], dtype: 'float16', dispose: () => undefined }),
  };
  readonly vm = { getFunction: (name: string) => this.#function(name, () => this.#newCache()) };
  readonly tvm = {
    beginScope: () => void this.#scopes++,
    endScope: () => void this.#scopes--,
    detachFromCurrentScope: <T>(value: T) => this.#scoped(value),
    getGlobalFunc: (name: string) =>
      this.#function(
        name,
        (cache: FakeKvCache, _sequence: object, { value }: { value: number }) => {
          cache.tokens?.splice(-value);
        },
      ),
    makeShapeTuple: (shape: number[]) => this.#scoped({ shape, dispose: () => undefined }),
    scalar: (value: number) => ({ value }),
    lib: {
      webGPUContext: {
        currAllocatedBytes: CACHE_BYTES + WEIGHT_BYTES,
        device: {
          limits: { maxBufferSize: 64 },
          pushErrorScope: () => undefined,
          createBuffer: ({ size }: { size: number }) => ({ size, destroy: () => undefined }),
          popErrorScope: () => Promise.resolve(this.hasMemory ? null : new Error('No memory')),
        },
      },
    },
  };

  updateLogitsOnCPU(): object {
    return { toArray: () => new Float32Array() };
  }

  sampleFromRawLogits(): Promise<number> {
    return Promise.resolve(0);
  }

  resetKVCache(): void {
    this.kvCache.tokens = [];
  }

  getInputData(): Promise<[FakePart[], number, unknown]> {
    const tokens = encode(this.#prompt);
    if (tokens.length > this.contextWindowSize) throw new Error('ContextWindowSizeExceeded');
    return Promise.resolve([[tokens], tokens.length, 'more']);
  }

  /** The tokens of an image. */
  look(_url: string, _size: number): number[] {
    throw new Error('Received image input but model does not have kernel image_embed.');
  }

  /** Answers as WebLLM does when nothing is cached. The last sampled token is not read. */
  async *answer(prompt: string, output: string, reason = 'stop'): AsyncGenerator<FakeChunk> {
    this.#prompt = prompt;
    this.filledKVCacheLength = 0;
    this.resetKVCache();
    this.outputIds = [];
    const [parts, count, sizeOf] = await this.getInputData();
    const read = parts.flatMap((part) =>
      'url' in part ? this.look(part.url, Number(isCall(sizeOf) && sizeOf(part))) : part,
    );
    if (read.length !== count) throw new Error('Expect inputDataLen to be that of all parts.');
    this.#read(read);
    this.prefilled.push(decode(read));
    this.onPrefilled();
    const tokens = encode(output);
    for (const [place, id] of tokens.entries()) {
      this.outputIds.push(id);
      yield token(decode([id]));
      if (reason === 'stop' || place < tokens.length - 1) this.#read([id]);
    }
    yield* end(reason, count, tokens.length + (reason === 'stop' ? 1 : 0));
  }

  #read(tokens: readonly number[]): void {
    if (!this.kvCache.tokens) throw new Error('The cache has no sequence.');
    if (this.kvCache.disposed) throw new Error('The cache is gone.');
    this.kvCache.tokens.push(...tokens);
    this.filledKVCacheLength += tokens.length;
    if (this.kvCache.tokens.length !== this.filledKVCacheLength) throw new Error('Lengths differ.');
  }

  #newCache(): FakeKvCache {
    const cache: FakeKvCache = {
      tokens: this.caches.length === 0 ? [] : undefined,
      disposed: false,
      dispose: () => void (cache.disposed = true),
    };
    this.caches.push(cache);
    return cache;
  }

  #function(name: string, call: (...values: never[]) => unknown) {
    if (!this.functions.includes(name)) throw new Error(`Cannot find function ${name}`);
    const checked = (...values: never[]) => {
      if (!this.functions.includes(name)) throw new Error(`${name} has failed`);
      return call(...values);
    };
    return this.#scoped(Object.assign(checked, { dispose: () => undefined }));
  }

  #scoped<T>(value: T): T {
    if (this.#scopes === 0) throw new Error('Must call beginScope first');
    return value;
  }
}

function isCall(value: unknown): value is (image: { url: string }) => number {
  return typeof value === 'function';
}

/** The pipeline of a model that sees: an image has a token for each of its pixels. */
export class FakeSeeingPipeline extends FakePipeline {
  imageDataCache = new Map<string, { width: number; height: number; data: Uint8ClampedArray }>();
  /** Sizes of the images that were read, with their first pixel. */
  readonly seen: { width: number; height: number; pixel: number[] }[] = [];

  image_embed(): void {}

  /** Like Phi-3.5-vision's, this leaves nothing of an image that is far too long. */
  calculateResizeShape(height: number, width: number): [height: number, width: number] {
    return height > 16 * width ? [0, 0] : [8, Math.floor((8 * width) / height)];
  }

  computeImageEmbedSize(height: number, width: number): number {
    return height * width;
  }

  override look(url: string, size: number): number[] {
    const image = this.imageDataCache.get(url);
    if (!image) throw new Error(`WebLLM would fetch ${url}.`);
    const { width, height, data } = image;
    if (size !== this.computeImageEmbedSize(height, width)) throw new Error('Sizes differ.');
    if (data.length !== 4 * width * height) throw new Error('Pixels are missing.');
    this.seen.push({ width, height, pixel: [...data.subarray(0, 4)] });
    return encode(IMAGE_TOKEN.repeat(size));
  }
}
