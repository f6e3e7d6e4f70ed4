import type { ByteSource } from '../sources/byte-source.ts';
import { PackError } from '../pack-error.ts';
import type { TensorFormat } from './tensor-format.ts';

/** The numbers of a Llama with grouped-query attention and a tied output head. */
export interface LlamaShape {
  hidden: number;
  layers: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  ffn: number;
  vocab: number;
  normEpsilon: number;
  ropeTheta: number;
}

/** Token ids. */
export interface SpecialTokens {
  begin: number;
  end: number;
  padding: number;
  /** All tokens that end an answer, including `end`. */
  stop: number[];
}

/** A trained model, read from any kind of file. */
export interface Checkpoint {
  readonly shape: LlamaShape;
  readonly specialTokens: SpecialTokens;
  /** Content of `tokenizer.json`. */
  readonly tokenizer: string;
  /** Content of `tokenizer_config.json`. */
  readonly tokenizerConfig: string;
  /**
   * The values of a tensor by its name on the hub, e.g. `model.norm.weight`, as f32. Matrices are
   * `[n, k]`: the rows are outputs, and Q and K rows have the two rotary halves contiguous.
   *
   * @throws PackError if it is missing or has another shape
   */
  tensor(name: string, shape: readonly number[]): Float32Array;
  close(): void;
}

/** Where and how a tensor is stored in its file. */
export interface StoredTensor {
  name: string;
  format: TensorFormat;
  shape: readonly number[];
  /** Bytes from the start of the file. */
  offset: number;
}

/** @throws PackError if the tensor is missing, has another shape, or is cut off */
export function readTensor(
  source: ByteSource,
  tensor: StoredTensor | undefined,
  name: string,
  shape: readonly number[],
): Float32Array {
  if (!tensor) throw new PackError(`${source.name} lacks the tensor ${name}.`);
  if (tensor.shape.join() !== shape.join()) {
    throw new PackError(
      `${source.name}: tensor ${name} has shape [${tensor.shape.join()}] instead of [${shape.join()}].`,
    );
  }
  const values = new Float32Array(product(shape));
  tensor.format.decode(source.read(tensor.offset, tensorBytes(tensor)), values);
  return values;
}

/** Size of a tensor in its file, bytes. */
export function tensorBytes({ format, shape }: StoredTensor): number {
  return (product(shape) / format.valuesPerBlock) * format.bytesPerBlock;
}

export function product(shape: readonly number[]): number {
  return shape.reduce((a, b) => a * b, 1);
}
