import { GgufError } from './gguf-error.ts';
import type { GgufTensor } from './gguf-header.ts';
import { TENSOR_TYPES } from './llamacpp-build.ts';

/**
 * The size of a tensor in the file and in memory, bytes.
 *
 * @throws GgufError for a quantisation that the build of llama.cpp does not know
 */
export function tensorBytes({ name, type, shape }: Omit<GgufTensor, 'offset'>): number {
  const found = TENSOR_TYPES.get(type);
  if (!found) throw new GgufError(`Tensor ${name} has the unknown quantisation ${type}.`);
  const values = shape.reduce((product, dimension) => product * dimension, 1);
  return (values / found.blockValues) * found.blockBytes;
}
