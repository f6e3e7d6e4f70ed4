/**
 * Access to WebLLM's private fields. Each field is checked before it is used. Without them
 * everything still works, except for what the comment at each field says.
 */

import { boundGrammars } from './grammar-cache.ts';
import { findKvCaches, type KvCaches } from './kv-caches.ts';
import { findPipelineImages, type PipelineImages } from './pipeline-images.ts';
import type { Tokenizer } from '../../conversation/text-model.ts';
import { can, findPipeline, type LogitProcessor, type Pipeline } from './pipeline.ts';

/** Receives the logits of a token before the grammar masks them. */
export interface RawLogits {
  wanted(): boolean;
  observe(logits: Float32Array): void;
}

/** A loaded model's pipeline, as far as it is accessible. */
export class PipelineAccess {
  readonly #pipeline: Pipeline | undefined;
  /** Without it, WebLLM has one KV cache and continues only from its end. */
  readonly kvCaches: KvCaches | undefined;
  /** Without it, prompts cannot have images. */
  readonly images: PipelineImages | undefined;

  /**
   * Without it, the logits that the logit processor gets count as raw: under a grammar, these are
   * the allowed ones only.
   */
  constructor(engine: object, modelId: string, raw: RawLogits) {
    this.#pipeline = findPipeline(engine, modelId);
    if (!this.#pipeline) return;
    observeRawLogits(this.#pipeline, raw);
    boundGrammars(this.#pipeline);
    this.kvCaches = findKvCaches(this.#pipeline);
    this.images = findPipelineImages(this.#pipeline);
  }

  /**
   * Tokens written in the running generation. If unknown, another engine cannot continue the
   * answer.
   */
  get writtenTokens(): number | undefined {
    const count: unknown =
      this.#pipeline && Reflect.get(this.#pipeline, 'curRoundCompletionTotalTokens');
    return typeof count === 'number' ? count : undefined;
  }

  /**
   * Ids of the tokens that the running generation has written. If they are unknown, answers show control tokens.
   *
   * @param from - how many tokens to leave out at the beginning
   */
  writtenIds(from: number): number[] {
    const ids: unknown = this.#pipeline && Reflect.get(this.#pipeline, 'outputIds');
    return Array.isArray(ids) ? ids.slice(from).filter((id) => typeof id === 'number') : [];
  }

  /** Without it, no tokens can be counted before an answer. */
  get tokenizer(): Tokenizer | undefined {
    const tokenizer: unknown = this.#pipeline && Reflect.get(this.#pipeline, 'tokenizer');
    if (!isTokenizer(tokenizer)) return undefined;
    return {
      encode: async (text) => [...tokenizer.encode(text)],
      decode: async (ids) => tokenizer.decode(Int32Array.from(ids)),
      // Tokens of images have no text.
      pieces: async (ids) => ids.map((id) => (id < 0 ? '' : tokenizer.decode(Int32Array.of(id)))),
    };
  }

  /**
   * Turns the logit processor on or off. Without it, the processor is always on, which costs about
   * 1 ms a token.
   */
  setLogitProcessor(processor: LogitProcessor | undefined): void {
    if (this.#pipeline) this.#pipeline.logitProcessor = processor;
  }
}

interface MlcTokenizer {
  encode(text: string): Int32Array;
  decode(ids: Int32Array): string;
}

function isTokenizer(value: unknown): value is MlcTokenizer {
  return can(value, 'encode', 'decode');
}

function observeRawLogits(pipeline: Pipeline, raw: RawLogits): void {
  const sample = pipeline.sampleFromRawLogits.bind(pipeline);
  pipeline.sampleFromRawLogits = async (logits, config) => {
    if (raw.wanted()) raw.observe(await toCpu(pipeline, logits));
    return sample(logits, config);
  };
}

async function toCpu(pipeline: Pipeline, logits: unknown): Promise<Float32Array> {
  pipeline.tvm.beginScope();
  const onCpu = pipeline.updateLogitsOnCPU(logits);
  pipeline.tvm.endScope();
  await pipeline.device.sync();
  return onCpu.toArray();
}
