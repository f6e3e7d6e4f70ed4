import { serverError } from '../../../core/errors/errors.ts';
import type { Pooling } from '../../../core/files/retrieval/pooling-config.ts';
import type { SentenceModel } from '../../retrieval/embedder.ts';
import type { EncodedText } from '../../retrieval/encoded-text.ts';
import { pooled } from '../../retrieval/pooling.ts';
import type { EmbeddingPipeline, Tensor } from './embedding-pipeline.ts';
import type { AroundText } from './mlc-tokenizer.ts';

/** An embedder in WebLLM. */
export class MlcSentences implements SentenceModel {
  readonly #pipeline: EmbeddingPipeline;
  readonly #pooling: readonly Pooling[];
  readonly #around: AroundText;
  readonly #unload: () => Promise<void>;
  /** Settles after the latest batch. */
  #running: Promise<unknown> = Promise.resolve();

  /** @param around - the special tokens before and after every text */
  constructor(
    pipeline: EmbeddingPipeline,
    pooling: readonly Pooling[],
    around: AroundText,
    unload: () => Promise<void>,
  ) {
    this.#pipeline = pipeline;
    this.#pooling = pooling;
    this.#around = around;
    this.#unload = unload;
  }

  ids(text: string): number[] {
    const { before, after } = this.#around;
    return [...before, ...this.#pipeline.tokenizer.encode(text), ...after];
  }

  vectors(texts: readonly EncodedText[]): Promise<Float32Array[]> {
    // A cancelled job may still be computing, and TVM frees the values of a scope when another scope ends.
    const vectors = this.#running.then(() => this.#inBatches(texts));
    this.#running = vectors.catch(() => undefined);
    return vectors;
  }

  dispose(): Promise<void> {
    return this.#unload();
  }

  async #inBatches(texts: readonly EncodedText[]): Promise<Float32Array[]> {
    const { maxBatchSize } = this.#pipeline;
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += maxBatchSize) {
      vectors.push(...(await this.#batch(texts.slice(at, at + maxBatchSize))));
    }
    return vectors;
  }

  async #batch(texts: readonly EncodedText[]): Promise<Float32Array[]> {
    const longest = Math.max(...texts.map(({ ids }) => ids.length));
    const { values, width } = await this.#states(texts, longest);
    return texts.map(({ ids: { length }, promptTokens: skipped }, index) => {
      const first = index * longest * width;
      const own = values.subarray(first, first + length * width);
      return pooled({ values: own, length, width, skipped }, this.#pooling);
    });
  }

  /** The states of all tokens; texts are padded at their ends. */
  async #states(texts: readonly EncodedText[], longest: number) {
    const { tvm, device, params } = this.#pipeline;
    tvm.beginScope();
    try {
      const ids = this.#onGpu(texts, longest, (id) => id);
      const mask = this.#onGpu(texts, longest, () => 1);
      const states = this.#pipeline.prefill(ids, mask, params);
      const onCpu = tvm.empty(states.shape, states.dtype, tvm.cpu());
      onCpu.copyFrom(states);
      await device.sync();
      const values = onCpu.toArray();
      if (values instanceof Float32Array) return { values, width: states.shape.at(-1) ?? 0 };
      throw serverError('model_unusable', `The model gave vectors of the type ${states.dtype}.`);
    } finally {
      tvm.endScope();
    }
  }

  #onGpu(texts: readonly EncodedText[], longest: number, value: (id: number) => number): Tensor {
    const { tvm, device } = this.#pipeline;
    const rows = texts.flatMap(({ ids }) => [
      ...ids.map(value),
      ...Array<number>(longest - ids.length).fill(0),
    ]);
    const tensor = tvm.empty([rows.length], 'int32', device);
    tensor.copyFrom(rows);
    return tensor.view([texts.length, longest]);
  }
}
