import type { ShownImage } from './image-tokens.ts';
import { can, has, type Pipeline } from './pipeline.ts';

/** A TVM value: freed with the scope it was made in, unless it is detached from that scope. */
interface TvmObject {
  dispose(): void;
}

type TvmFunction = TvmObject & ((...values: unknown[]) => TvmObject);

interface GpuMemory {
  currAllocatedBytes: number;
  device: GPUDevice;
}

/** A prompt's tokens and images, the number of their tokens, and what WebLLM needs for images. */
type InputData = [parts: readonly (readonly number[] | ShownImage)[], count: number, more: unknown];

/** A prompt with images, which are read without WebLLM. */
export interface ShownPrompt {
  /** The tokens of the whole prompt. Tokens of images are negative. */
  tokens: readonly number[];
  /** Makes WebLLM's input for the last of these tokens. */
  input(rest: readonly number[]): Promise<InputData>;
}

interface KvPipeline extends Pipeline {
  tvm: Pipeline['tvm'] & {
    detachFromCurrentScope<T extends TvmObject>(value: T): T;
    getGlobalFunc(name: string): TvmFunction;
    makeShapeTuple(shape: number[]): TvmObject;
    scalar(value: number, dtype: string): object;
    lib: { webGPUContext: GpuMemory };
  };
  vm: { getFunction(name: string): TvmFunction };
  params: { size(): number; get(index: number): { shape: number[]; dtype: string } };
  tokenizer: { encode(text: string): Int32Array };
  kvCache: TvmObject;
  /** Tokens in the KV cache. */
  filledKVCacheLength: number;
  contextWindowSize: number;
  prefillChunkSize: number;
  /** Tokens of the running or last answer, without the token that ended it. */
  outputIds: readonly number[];
  resetKVCache(): void;
  getInputData(): Promise<InputData>;
}

/**
 * Whether a pipeline's only state is one KV cache without a sliding window. WebLLM's public API reads a whole prompt again
 * if it does not continue the last one. With these fields, several conversations keep what was read of them, and an
 * edited one keeps what it has in common with its older form.
 */
function isKvPipeline(pipeline: Pipeline): pipeline is KvPipeline {
  const field = (name: string): unknown => Reflect.get(pipeline, name);
  const { tvm } = pipeline;
  return (
    can(pipeline, 'resetKVCache', 'getInputData') &&
    can(tvm, 'detachFromCurrentScope', 'getGlobalFunc', 'makeShapeTuple', 'scalar') &&
    can(field('vm'), 'getFunction') &&
    can(field('params'), 'size', 'get') &&
    can(field('tokenizer'), 'encode') &&
    can(field('kvCache'), 'dispose') &&
    has(
      Reflect.get(Object(Reflect.get(tvm, 'lib')), 'webGPUContext'),
      'currAllocatedBytes',
      'device',
    ) &&
    field('filledKVCacheLength') === 0 &&
    typeof field('prefillChunkSize') === 'number' &&
    Number(field('contextWindowSize')) > 0 &&
    field('slidingWindowSize') === -1 &&
    field('rnnState') === undefined &&
    field('artifact') === undefined
  );
}

/** @returns undefined if this WebLLM is built differently, or if the model is of another kind */
export function findKvCaches(pipeline: Pipeline): KvCaches | undefined {
  if (!isKvPipeline(pipeline)) return undefined;
  try {
    return new KvCaches(pipeline);
  } catch {
    // The model library is older than one of these functions.
    return undefined;
  }
}

/** Tokens per page, as WebLLM makes its own cache. */
const PAGE_SIZE = 16;
/** Id of WebLLM's only sequence. */
const SEQUENCE = 0;

/** Which cache a prefill uses, from 0, and how many of its prompt's tokens that cache holds. */
interface CacheUse {
  cache: number;
  kept: number;
  /** The tokens of the whole prompt. */
  tokens: readonly number[];
}

interface KvCache {
  object: TvmObject;
  /** Tokens; undefined while unknown. */
  length: number | undefined;
}

/** A loaded model's KV cache, and further ones on the same weights. */
export class KvCaches {
  readonly #pipeline: KvPipeline;
  readonly #popn: TvmFunction;
  readonly #create: TvmFunction;
  readonly #reset: () => void;
  readonly #caches: KvCache[];
  #inUse: KvCache | undefined;
  /** GPU memory, bytes. */
  readonly bytesEach: number;
  /** The prompt of the running generation, if it has images. */
  shown: ShownPrompt | undefined;
  /** Called at each prefill with the tokens of the whole prompt. */
  onPrefill: (tokens: readonly number[]) => Promise<CacheUse>;

  /** @throws Error if the model library lacks a function */
  constructor(pipeline: KvPipeline) {
    const { tvm, vm } = pipeline;
    this.#pipeline = pipeline;
    [this.#popn, this.#create] = inScope(tvm, () => [
      tvm.detachFromCurrentScope(tvm.getGlobalFunc('vm.builtin.kv_state_popn')),
      tvm.detachFromCurrentScope(vm.getFunction('create_tir_paged_kv_cache')),
    ]);
    this.bytesEach = tvm.lib.webGPUContext.currAllocatedBytes - parameterBytes(pipeline);
    this.#caches = [{ object: pipeline.kvCache, length: 0 }];
    this.onPrefill = (tokens) => Promise.resolve({ cache: 0, kept: 0, tokens });
    // WebLLM empties its cache before a prompt that does not continue it. WebLLM never sees one that
    // does.
    this.#reset = pipeline.resetKVCache.bind(pipeline);
    pipeline.resetKVCache = () => undefined;
    const read = pipeline.getInputData.bind(pipeline);
    pipeline.getInputData = () => this.#begin(read);
  }

  get count(): number {
    return this.#caches.length;
  }

  /** Tokens. */
  get contextLength(): number {
    return this.#pipeline.contextWindowSize;
  }

  encode(text: string): readonly number[] {
    return [...this.#pipeline.tokenizer.encode(text)];
  }

  /**
   * Makes one more cache, unless the GPU lacks the memory. (WebLLM would give up the GPU if it
   * noticed.)
   *
   * @returns whether there is one more now
   */
  async add(): Promise<boolean> {
    const { tvm, prefillChunkSize } = this.#pipeline;
    if (!(await hasMemory(tvm.lib.webGPUContext.device, this.bytesEach))) return false;
    const sizes = [1, this.contextLength, prefillChunkSize, PAGE_SIZE, 0];
    try {
      const object = inScope(tvm, () =>
        tvm.detachFromCurrentScope(
          this.#create(...sizes.map((size) => tvm.makeShapeTuple([size]))),
        ),
      );
      this.#caches.push({ object, length: undefined });
      return true;
    } catch {
      // WebLLM's own cache still works as before.
      return false;
    }
  }

  /** Frees one of several caches. */
  remove(cache: number): void {
    const [removed] = this.#caches.splice(cache, 1);
    const [first] = this.#caches;
    if (removed && first && this.#pipeline.kvCache === removed.object) {
      this.#pipeline.kvCache = first.object;
    }
    removed?.object.dispose();
  }

  /**
   * To be called after each generation.
   *
   * @param isBroken - whether it failed, so that its cache's content is unknown
   * @returns the number of tokens in the cache and the answer's tokens; undefined if nothing was
   * prefilled
   */
  end(isBroken: boolean): { length: number; written: readonly number[] } | undefined {
    const { filledKVCacheLength: length, outputIds: written } = this.#pipeline;
    const cache = this.#inUse;
    this.#inUse = undefined;
    if (!cache) return undefined;
    cache.length = isBroken ? undefined : length;
    return { length, written };
  }

  async #begin(read: () => Promise<InputData>): Promise<InputData> {
    const { shown } = this;
    if (shown) return shown.input(await this.#rest(shown.tokens));
    const [parts, , more] = await read();
    const rest = await this.#rest(parts.flatMap((part) => ('url' in part ? [] : part)));
    return [[rest], rest.length, more];
  }

  /** The tokens of a prompt that the cache does not hold. */
  async #rest(all: readonly number[]): Promise<readonly number[]> {
    const { cache, kept, tokens } = await this.onPrefill(all);
    this.#use(cache, kept);
    return tokens.slice(kept);
  }

  #use(index: number, kept: number): void {
    const cache = this.#caches[index];
    if (!cache) throw new Error(`There is no KV cache ${index}.`);
    const { object, length } = cache;
    this.#inUse = cache;
    this.#pipeline.kvCache = object;
    if (kept === 0 || length === undefined) this.#reset();
    else if (kept < length) this.#pop(object, length - kept);
    cache.length = kept;
    this.#pipeline.filledKVCacheLength = kept;
  }

  #pop(object: TvmObject, count: number): void {
    const { tvm } = this.#pipeline;
    this.#popn(object, tvm.scalar(SEQUENCE, 'int64'), tvm.scalar(count, 'int32'));
  }
}

function parameterBytes({ tvm, params }: KvPipeline): number {
  return inScope(tvm, () => {
    let bytes = 0;
    for (let index = 0; index < params.size(); index++) {
      const { shape, dtype } = params.get(index);
      const bits = Number(/\d+/.exec(dtype)?.[0]);
      bytes += shape.reduce((product, size) => product * size, bits / 8);
    }
    return bytes;
  });
}

async function hasMemory(device: GPUDevice, bytes: number): Promise<boolean> {
  const most = device.limits.maxBufferSize;
  device.pushErrorScope('out-of-memory');
  const buffers: GPUBuffer[] = [];
  for (let left = bytes; left > 0; left -= most) {
    const size = 4 * Math.ceil(Math.min(left, most) / 4);
    buffers.push(device.createBuffer({ size, usage: GPUBufferUsage.STORAGE }));
  }
  const error = await device.popErrorScope();
  for (const buffer of buffers) buffer.destroy();
  return error === null;
}

function inScope<T>(tvm: Pipeline['tvm'], work: () => T): T {
  tvm.beginScope();
  try {
    return work();
  } finally {
    tvm.endScope();
  }
}
