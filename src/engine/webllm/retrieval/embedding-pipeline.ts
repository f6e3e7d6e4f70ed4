import { can, has, loadedPipeline } from '../pipeline/pipeline.ts';

/** A tensor of TVM. */
export interface Tensor {
  readonly shape: number[];
  readonly dtype: string;
  copyFrom(values: Tensor | number[]): unknown;
  view(shape: number[]): Tensor;
  toArray(): ArrayLike<number>;
}

/**
 * The parts of WebLLM's pipeline for an embedder that we use. Its public `embeddings.create` gives the vector of the
 * first token only, which is right for some models; `prefill` gives those of all tokens.
 */
export interface EmbeddingPipeline {
  tvm: {
    beginScope(): void;
    endScope(): void;
    empty(shape: number[], dtype: string, device: object): Tensor;
    cpu(): object;
  };
  device: { sync(): Promise<void> };
  /** Tokenizes texts without special tokens. */
  tokenizer: { encode(text: string): Iterable<number> };
  params: object;
  /** @returns the states of all tokens [texts, tokens, width] of ids and mask [texts, tokens] */
  prefill(ids: Tensor, mask: Tensor, params: object): Tensor;
  /** The most texts that `prefill` takes at once. */
  maxBatchSize: number;
  /** The most tokens of a text, special ones included. */
  contextWindowSize: number;
}

/** @returns undefined if this WebLLM is built differently */
export function findEmbeddingPipeline(
  engine: object,
  modelId: string,
): EmbeddingPipeline | undefined {
  const pipeline = loadedPipeline(engine, modelId);
  return isEmbeddingPipeline(pipeline) ? pipeline : undefined;
}

function isEmbeddingPipeline(value: unknown): value is EmbeddingPipeline {
  return (
    has(value, 'device', 'params', 'maxBatchSize', 'contextWindowSize') &&
    can(value, 'prefill') &&
    can(Reflect.get(value, 'tvm'), 'beginScope', 'endScope', 'empty', 'cpu') &&
    can(Reflect.get(value, 'tokenizer'), 'encode')
  );
}

/**
 * Size of the memory of WebAssembly that a pipeline has, bytes; 0: this WebLLM is built differently. That memory cannot
 * shrink. If it is unknown, a worker whose memory has grown is not replaced.
 */
export function heapBytes({ tvm }: Pick<EmbeddingPipeline, 'tvm'>): number {
  const memory: unknown = Reflect.get(tvm, 'memory');
  const inner: unknown = has(memory, 'memory') ? Reflect.get(memory, 'memory') : undefined;
  return inner instanceof WebAssembly.Memory ? inner.buffer.byteLength : 0;
}
