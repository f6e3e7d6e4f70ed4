import * as v from 'valibot';
import { GgufError } from './gguf-error.ts';
import { field, optionalField, texts, type GgufHeader } from './gguf-header.ts';
import { ggufSummary } from './gguf-summary.ts';
import { EMBEDDERS } from './llamacpp-build.ts';

/** What a GGUF model does. */
export type GgufTask =
  | { task: 'chat' }
  /** `length`: numbers in a vector. */
  | { task: 'embedding'; length: number }
  | { task: 'rerank' };

/** The tokenizer of BERT, which marks the two texts of a pair. */
const WORD_PIECES = 'bert';

/**
 * Reads from the header what the model does. Nothing is guessed.
 *
 * @throws GgufError if it does not say enough, or if llama.cpp does not compute what the model was trained to
 */
export function ggufTask(file: GgufHeader): GgufTask {
  const { architecture, pooling, contextLength } = ggufSummary(file);
  if (pooling === undefined) {
    if (!EMBEDDERS.has(architecture)) return { task: 'chat' };
    throw new GgufError(
      `${file.name} is a model for embeddings, and does not say how its vectors are pooled.`,
    );
  }
  if (contextLength < 1) throw new GgufError(`${file.name} does not say how long a text may be.`);
  if (pooling !== 'rank') return { task: 'embedding', length: vectorLength(file, architecture) };
  requireOneScore(file, architecture);
  return { task: 'rerank' };
}

function vectorLength(file: GgufHeader, architecture: string): number {
  const own = optionalField(file, `${architecture}.embedding_length_out`, v.number());
  return own ?? field(file, `${architecture}.embedding_length`, v.number());
}

function requireOneScore(file: GgufHeader, architecture: string): void {
  const names = optionalField(file, `${architecture}.classifier.output_labels`, texts);
  const labels = names?.length ?? 1;
  if (labels !== 1) {
    throw new GgufError(
      `${file.name} gives ${labels} numbers for a question and a document, and a ranker gives one.`,
    );
  }
  const types = optionalField(file, 'tokenizer.ggml.token_type_count', v.number()) ?? 1;
  if (types > 1 && ggufSummary(file).tokenizer === WORD_PIECES) {
    throw new GgufError(
      `${file.name} tells question and document apart by token types, which llama.cpp leaves out: its scores ` +
        'would be wrong. With ONNX graphs, the model can be used.',
    );
  }
}
