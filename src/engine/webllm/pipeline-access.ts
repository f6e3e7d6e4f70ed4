/**
 * What only WebLLM's private fields give, each looked for before it is used: without them everything
 * still works, but for what is said at each.
 */

import { findKvCaches, type KvCaches } from './kv-caches.ts';
import { findPipeline, type LogitProcessor, type Pipeline } from './pipeline.ts';

/** Takes the logits of a token before the grammar masks them. */
export interface RawLogits {
  wanted(): boolean;
  observe(logits: Float32Array): void;
}

/** A loaded model's pipeline, and what it lets us do. */
export class PipelineAccess {
  readonly #pipeline: Pipeline | undefined;
  /** Else WebLLM has one KV cache, and only goes on from its end. */
  readonly kvCaches: KvCaches | undefined;

  /** Else what the logit processor is given counts as raw: under a grammar, only what it allows. */
  constructor(engine: object, modelId: string, raw: RawLogits) {
    this.#pipeline = findPipeline(engine, modelId);
    if (!this.#pipeline) return;
    observeRawLogits(this.#pipeline, raw);
    this.kvCaches = findKvCaches(this.#pipeline);
  }

  /** Tokens written in the running generation; else unknown: it cannot be gone on with elsewhere. */
  get writtenTokens(): number | undefined {
    const count: unknown =
      this.#pipeline && Reflect.get(this.#pipeline, 'curRoundCompletionTotalTokens');
    return typeof count === 'number' ? count : undefined;
  }

  /** Turns the logit processor on or off; else it is always on, which costs about 1 ms a token. */
  setLogitProcessor(processor: LogitProcessor | undefined): void {
    if (this.#pipeline) this.#pipeline.logitProcessor = processor;
  }
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
