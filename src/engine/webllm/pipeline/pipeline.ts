export type LogitProcessor = object;

interface CpuTensor {
  toArray(): Float32Array;
}

/** The parts of WebLLM's pipeline for a loaded model that we use. */
export interface Pipeline {
  logitProcessor: LogitProcessor | undefined;
  tvm: { beginScope(): void; endScope(): void };
  device: { sync(): Promise<void> };
  updateLogitsOnCPU(logits: unknown): CpuTensor;
  sampleFromRawLogits(logits: unknown, config: unknown): Promise<number>;
}

/**
 * WebLLM's pipeline for a loaded model. The public API has no logits, no tokenizer and no second KV cache, so what needs
 * one of these reads private fields of the pipeline.
 *
 * @returns undefined if this WebLLM is built differently
 */
export function findPipeline(engine: object, modelId: string): Pipeline | undefined {
  const pipelines: unknown = Reflect.get(engine, 'loadedModelIdToPipeline');
  const pipeline: unknown = pipelines instanceof Map ? pipelines.get(modelId) : undefined;
  return isPipeline(pipeline) ? pipeline : undefined;
}

function isPipeline(value: unknown): value is Pipeline {
  return (
    has(value, 'logitProcessor', 'tvm', 'device') &&
    can(value, 'updateLogitsOnCPU', 'sampleFromRawLogits')
  );
}

export function has(value: unknown, ...fields: string[]): value is object {
  return typeof value === 'object' && value !== null && fields.every((field) => field in value);
}

export function can(value: unknown, ...methods: string[]): value is object {
  return has(value) && methods.every((method) => typeof Reflect.get(value, method) === 'function');
}
