import * as v from 'valibot';
import type { GgufOnGpu } from '../../catalog/variant.ts';
import { optionalField, type GgufHeader, type GgufTensor } from './gguf-header.ts';
import { TENSOR_TYPES } from './llamacpp-build.ts';
import { tensorBytes } from './tensor-bytes.ts';

/** Types of weights that `ggml_backend_webgpu_device_supports_op` refuses. */
const TYPES_WITHOUT = new Set(['BF16', 'TQ1_0', 'TQ2_0', 'Q2_0']);

/** Architectures with operations that it refuses. */
const ARCHITECTURES_WITHOUT = new Set(['arwkv7', 'deepseek4', 'rwkv6', 'rwkv6qwen2', 'rwkv7']);

/** The CPU looks up the vectors of tokens, unless the same tensor makes the logits. */
const TOKENS = 'token_embd.weight';
const LOGITS = 'output.weight';

/**
 * Reads from a model's headers what a GPU needs to run it. The headers do not tell all: `lc_is_whole()` of
 * models/llamacpp says the rest when the model is loaded.
 *
 * @param parts - the headers of all parts, in order
 * @throws GgufError if a field has another type than the format says, or a tensor an unknown type
 */
export function ggufOnGpu(parts: readonly [GgufHeader, ...GgufHeader[]]): GgufOnGpu {
  const tensors = tensorsOnGpu(parts);
  const types = tensors.map(({ type }) => TENSOR_TYPES.get(type)?.name ?? '');
  const architecture = optionalField(parts[0], 'general.architecture', v.string()) ?? '';
  const type = types.find((each) => TYPES_WITHOUT.has(each));
  return {
    tensorBytes: tensors.reduce((most, tensor) => Math.max(most, tensorBytes(tensor)), 0),
    ...(type !== undefined && { lacks: `weights of the type ${type}` }),
    ...(ARCHITECTURES_WITHOUT.has(architecture) && { lacks: `the architecture ${architecture}` }),
  };
}

/** The tensors that a GPU computes with. */
export function tensorsOnGpu(parts: readonly GgufHeader[]): GgufTensor[] {
  const all = parts.flatMap(({ tensors }) => tensors);
  const hasLogits = all.some(({ name }) => name === LOGITS);
  return hasLogits ? all.filter(({ name }) => name !== TOKENS) : all;
}
