import { seededRandom } from '../../../scripts/seeded-random.ts';
import { f32Bytes, ggufBytes, type Field, type Tensor } from './gguf-bytes.ts';

/** Sizes of the model. The feed-forward layers have twice the width. */
interface Shape {
  width: number;
  layers: number;
}

const TINY: Shape = { width: 64, layers: 1 };
const HEADS = 4;
/** Context length in tokens. */
const CONTEXT = 96;
const F32 = 0;
/** llama.cpp's token types. */
const [NORMAL, UNKNOWN, CONTROL] = [1, 2, 3];
/** llama.cpp's number of the pooling that gives scores. */
const RANK = 4;

const WORDS = ['what', 'is', 'red', 'blue', 'the', 'sky', 'apple', 'an', 'a', '.', '?'];
/** XLM-RoBERTa's special tokens. The tokenizer puts `<s>` before and `</s>` behind each text. */
const SPECIAL = ['<s>', '<pad>', '</s>', '<unk>'];

/**
 * A GGUF file of a cross-encoder with random weights, which llama.cpp runs: a BERT that scores pairs, with the tokenizer of
 * XLM-RoBERTa.
 */
export function tinyRanker(metadata: Record<string, Field> = {}, shape: Shape = TINY): Buffer {
  const tokens = [...SPECIAL, ...WORDS.map((word) => `▁${word}`)];
  const types = tokens.map((_, id) =>
    id === SPECIAL.indexOf('<unk>') ? UNKNOWN : id < SPECIAL.length ? CONTROL : NORMAL,
  );
  const fields: Record<string, Field> = {
    'general.architecture': { string: 'bert' },
    'general.name': { string: 'Tiny ranker' },
    'general.license': { string: 'mit' },
    'general.file_type': { u32: 0 },
    'bert.context_length': { u32: CONTEXT },
    'bert.embedding_length': { u32: shape.width },
    'bert.block_count': { u32: shape.layers },
    'bert.feed_forward_length': { u32: 2 * shape.width },
    'bert.attention.head_count': { u32: HEADS },
    'bert.attention.layer_norm_epsilon': { f32: 1e-5 },
    'bert.attention.causal': { bool: false },
    'bert.pooling_type': { u32: RANK },
    'tokenizer.ggml.model': { string: 't5' },
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.scores': { f32s: tokens.map((_, id) => (id < SPECIAL.length ? 0 : -1)) },
    'tokenizer.ggml.token_type': { i32s: types },
    'tokenizer.ggml.token_type_count': { u32: 1 },
    'tokenizer.ggml.bos_token_id': { u32: 0 },
    'tokenizer.ggml.padding_token_id': { u32: 1 },
    'tokenizer.ggml.eos_token_id': { u32: 2 },
    'tokenizer.ggml.seperator_token_id': { u32: 2 },
    'tokenizer.ggml.unknown_token_id': { u32: 3 },
    'tokenizer.ggml.add_bos_token': { bool: true },
    'tokenizer.ggml.add_eos_token': { bool: true },
    'tokenizer.ggml.add_sep_token': { bool: true },
    ...metadata,
  };
  const positions = fields['bert.context_length'];
  const context = positions && 'u32' in positions ? positions.u32 : 0;
  return Buffer.from(ggufBytes(fields, tensors(tokens.length, context, shape)));
}

function tensors(vocabulary: number, context: number, { width, layers }: Shape): Tensor[] {
  const random = seededRandom(7);
  const values = (name: string, shape: number[], value: () => number): Tensor => {
    const count = shape.reduce((product, size) => product * size, 1);
    return { name, type: F32, shape, bytes: f32Bytes(Float32Array.from({ length: count }, value)) };
  };
  const linear = (name: string, rows: number, columns: number) => [
    values(`${name}.weight`, [rows, columns], () => random() - 0.5),
    values(`${name}.bias`, [rows], () => 0),
  ];
  const norm = (name: string) => [
    values(`${name}.weight`, [width], () => 1),
    values(`${name}.bias`, [width], () => 0),
  ];
  return [
    values('token_embd.weight', [vocabulary, width], () => random() - 0.5),
    values('position_embd.weight', [context, width], () => random() - 0.5),
    values('token_types.weight', [1, width], () => random() - 0.5),
    ...norm('token_embd_norm'),
    ...Array.from({ length: layers }, (_, layer) => layer).flatMap((layer) => [
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].flatMap((name) =>
        linear(`blk.${layer}.${name}`, width, width),
      ),
      ...norm(`blk.${layer}.attn_output_norm`),
      ...linear(`blk.${layer}.ffn_up`, 2 * width, width),
      ...linear(`blk.${layer}.ffn_down`, width, 2 * width),
      ...norm(`blk.${layer}.layer_output_norm`),
    ]),
    ...linear('cls', width, width),
    ...linear('cls.output', 1, width),
  ];
}
