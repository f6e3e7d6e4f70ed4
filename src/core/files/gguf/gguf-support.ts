import { GgufError } from './gguf-error.ts';
import { ggufSummary, splitFacts, type GgufSummary } from './gguf-summary.ts';
import { ggufTask } from './gguf-task.ts';
import type { GgufHeader } from './gguf-header.ts';
import {
  ARCHITECTURES,
  EMBEDDERS,
  PRE_TOKENIZERS,
  TENSOR_TYPES,
  TOKENIZERS,
} from './llamacpp-build.ts';
import { tensorBytes } from './tensor-bytes.ts';

/** The tokenizer that has several ways to cut a text. */
const BPE = 'gpt2';
/** Pre-tokenizer of a file that names none. */
const DEFAULT_PRE_TOKENIZER = 'default';

/** Bytes: ggml's `TENSOR_ALIGNMENT`. Weights are used at their places in the file, without a copy. */
export const WEIGHT_ALIGNMENT = 32;

/**
 * Refuses a model that the build of llama.cpp could not run, before anything but headers is read.
 *
 * @param parts - the headers of all parts, in order
 * @returns the first part's facts about the model
 * @throws GgufError that says what is missing
 */
export function requireSupported(parts: readonly GgufHeader[]): GgufSummary {
  const [first] = parts;
  if (!first) throw new GgufError('There is no GGUF file.');
  const summary = ggufSummary(first);
  requireModel(first, summary);
  ggufTask(first);
  requireParts(parts);
  parts.forEach(requireTensorTypes);
  parts.forEach(requireAligned);
  requireTokenizer(first, summary);
  return summary;
}

/**
 * @param size - of the file, bytes
 * @throws GgufError if the file ends before its last tensor does
 */
export function requireWhole({ name, tensors }: GgufHeader, size: number): void {
  const ends = tensors.map((tensor) => tensor.offset + tensorBytes(tensor));
  const needed = ends.reduce((most, end) => Math.max(most, end), 0);
  if (size >= needed) return;
  throw new GgufError(`${name} is truncated: it has ${size} bytes instead of ${needed}.`);
}

/** @throws GgufError if weights begin where llama.cpp cannot use them */
export function requireAligned({ name, tensors }: GgufHeader): void {
  if (tensors.every(({ offset }) => offset % WEIGHT_ALIGNMENT === 0)) return;
  throw new GgufError(
    `${name} cannot be run: its weights must be aligned to ${WEIGHT_ALIGNMENT} bytes, which is the default ` +
      'of GGUF.',
  );
}

function requireModel({ name, tensors }: GgufHeader, summary: GgufSummary): void {
  const { type, architecture } = summary;
  if (type !== 'model') throw new GgufError(`${name} is not a whole model: its type is "${type}".`);
  if (!ARCHITECTURES.has(architecture) && !EMBEDDERS.has(architecture)) {
    throw new GgufError(
      `${name} has the architecture "${architecture}", which this build of llama.cpp cannot run.`,
    );
  }
  if (tensors.length === 0) throw new GgufError(`${name} has no weights.`);
}

function requireParts(parts: readonly GgufHeader[]): void {
  parts.forEach((part, index) => {
    const found = splitFacts(part);
    if (found.part === index && found.parts === parts.length) return;
    throw new GgufError(
      `${part.name} is part ${found.part + 1} of ${found.parts}, not part ${index + 1} of ` +
        `${parts.length}. Parts must be named as llama.cpp names them: model-00001-of-00002.gguf.`,
    );
  });
}

/** @throws GgufError if llama.cpp cannot compute with one of the tensors */
export function requireTensorTypes({ name, tensors }: GgufHeader): void {
  const unknown = tensors.find(({ type }) => !TENSOR_TYPES.has(type));
  if (!unknown) return;
  throw new GgufError(
    `${name} has a quantisation that this build of llama.cpp cannot run: ggml type ${unknown.type} ` +
      `in tensor ${unknown.name}.`,
  );
}

function requireTokenizer({ name }: GgufHeader, { tokenizer, preTokenizer }: GgufSummary): void {
  if (tokenizer === undefined) throw new GgufError(`${name} has no tokenizer.`);
  if (!TOKENIZERS.has(tokenizer)) throw unknownTokenizer(name, tokenizer);
  if (tokenizer !== BPE || PRE_TOKENIZERS.has(preTokenizer ?? DEFAULT_PRE_TOKENIZER)) return;
  throw unknownTokenizer(name, `${tokenizer}/${preTokenizer}`);
}

function unknownTokenizer(name: string, tokenizer: string): GgufError {
  return new GgufError(
    `${name} has the tokenizer "${tokenizer}", which this build of llama.cpp does not know.`,
  );
}
