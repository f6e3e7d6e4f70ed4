import { seededRandom } from '../../../scripts/seeded-random.ts';
import {
  f32Bytes,
  ggufBytes,
  ggufHeader,
  q8Bytes,
  type Field,
  type SizedTensor,
  type Tensor,
} from './gguf-bytes.ts';

interface Shape {
  layers: number;
  width: number;
  heads: number;
  cacheHeads: number;
  innerWidth: number;
  contextLength: number;
  /** Tokens beyond those that every vocabulary here has. */
  moreTokens: number;
  /** Whether the matrices are in Q8_0, else in F32. */
  isQuantised: boolean;
}

const TINY: Shape = {
  layers: 2,
  width: 64,
  heads: 4,
  cacheHeads: 2,
  innerWidth: 128,
  contextLength: 512,
  moreTokens: 0,
  isQuantised: false,
};

/** ggml's numbers. */
const [F32, Q8_0] = [0, 8];
/** llama.cpp's token types. */
const [NORMAL, CONTROL] = [1, 3];

const START = '<|im_start|>';
const END = '<|im_end|>';

const CHATML =
  `{% for message in messages %}${START}{{ message.role }}\n{{ message.content }}${END}\n{% endfor %}` +
  `{% if add_generation_prompt %}${START}assistant\n{% endif %}`;

interface TinyOptions {
  /** Fields to add or to replace; undefined removes a field. */
  metadata?: Record<string, Field | undefined>;
  /** Used instead of the random weights. */
  tensors?: Tensor[];
  /** Different seeds make different weights. */
  seed?: number;
  /** Sizes that differ from the usual ones. */
  shape?: Partial<Shape>;
}

/** A GGUF file that llama.cpp runs: a small Llama with random weights, of about 400 kB. */
export function tinyGguf({ metadata = {}, tensors, seed = 1, shape }: TinyOptions = {}): Buffer {
  const full = { ...TINY, ...shape };
  return Buffer.from(ggufBytes(tinyMetadata(full, metadata), tensors ?? tinyTensors(full, seed)));
}

/** The file of `tinyGguf` split into several, as llama.cpp splits it; in order. */
export function splitTinyGguf(parts: number, options: TinyOptions = {}): Buffer[] {
  const shape = { ...TINY, ...options.shape };
  const tensors = options.tensors ?? tinyTensors(shape, options.seed ?? 1);
  return split(parts, tensors, tinyMetadata(shape, options.metadata ?? {})).map((part) =>
    Buffer.from(ggufBytes(part.metadata, part.tensors)),
  );
}

/** What is before the weights in the files of `splitTinyGguf`, and the sizes of these files, bytes. */
export function headersOfGguf(
  parts: number,
  shape: Partial<Shape>,
): { header: Buffer; size: number }[] {
  const full = { ...TINY, ...shape };
  return split(parts, tensorsOf(full), tinyMetadata(full, {})).map(({ metadata, tensors }) =>
    ggufHeader(metadata, tensors),
  );
}

function split<T>(parts: number, tensors: T[], first: Record<string, Field>) {
  const each = Math.ceil(tensors.length / parts);
  return Array.from({ length: parts }, (_, part) => {
    const facts: Record<string, Field> = {
      'split.no': { u16: part },
      'split.count': { u16: parts },
      'split.tensors.count': { i32: tensors.length },
    };
    return {
      metadata: part === 0 ? { ...first, ...facts } : facts,
      tensors: tensors.slice(part * each, (part + 1) * each),
    };
  });
}

/** A tensor of a type that needs no real values. */
export function tensorOfType(type: number, name = 'token_embd.weight'): Tensor {
  return { name, type, shape: [1, 256], bytes: new Uint8Array(1024) };
}

function tinyMetadata(
  shape: Shape,
  changes: Record<string, Field | undefined>,
): Record<string, Field> {
  const { layers, width, heads, cacheHeads, innerWidth, contextLength, moreTokens } = shape;
  const words = Array.from({ length: moreTokens }, (_, index) => `word${index}`);
  const tokens = [...byteTokens(), ...words, START, END];
  const types = tokens.map((token) => (token === START || token === END ? CONTROL : NORMAL));
  const end = tokens.indexOf(END);
  const all: Record<string, Field | undefined> = {
    'general.architecture': { string: 'llama' },
    'general.name': { string: 'Tiny' },
    'general.license': { string: 'mit' },
    'general.file_type': { u32: 0 },
    'llama.context_length': { u32: contextLength },
    'llama.embedding_length': { u32: width },
    'llama.block_count': { u32: layers },
    'llama.feed_forward_length': { u32: innerWidth },
    'llama.attention.head_count': { u32: heads },
    'llama.attention.head_count_kv': { u32: cacheHeads },
    'llama.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
    'llama.rope.dimension_count': { u32: width / heads },
    'tokenizer.ggml.model': { string: 'gpt2' },
    'tokenizer.ggml.pre': { string: 'smollm' },
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.token_type': { i32s: types },
    'tokenizer.ggml.merges': {
      strings: ['h e', ...words.map((word) => `${word.slice(0, -1)} ${word.slice(-1)}`)],
    },
    'tokenizer.ggml.eos_token_id': { u32: end },
    'tokenizer.ggml.bos_token_id': { u32: end },
    'tokenizer.ggml.add_bos_token': { bool: false },
    'tokenizer.chat_template': { string: CHATML },
    ...changes,
  };
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => (value ? [[key, value] as const] : [])),
  );
}

/** The 256 bytes as the characters that GPT-2's vocabulary has for them, and one merged token. */
function byteTokens(): string[] {
  const isPlain = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let others = 0;
  const bytes = Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isPlain(byte) ? byte : 256 + others++),
  );
  return [...bytes, 'he'];
}

function tinyTensors(full: Shape, seed: number): Tensor[] {
  const random = seededRandom(seed);
  return tensorsOf(full).map(({ name, type, shape }) => {
    const facts = { name, type, shape };
    const [rows = 0, columns] = shape;
    if (columns === undefined) return { ...facts, bytes: f32Bytes(new Float32Array(rows).fill(1)) };
    const values = new Float32Array(rows * columns).map(() => (random() - 0.5) / 4);
    return { ...facts, bytes: type === Q8_0 ? q8Bytes(values) : f32Bytes(values) };
  });
}

function tensorsOf(full: Shape): SizedTensor[] {
  const { layers, width, heads, cacheHeads, innerWidth, moreTokens, isQuantised } = full;
  const matrix = (name: string, rows: number, columns: number): SizedTensor => {
    const [type, bytes] = isQuantised ? [Q8_0, 34 / 32] : [F32, 4];
    return { name: `${name}.weight`, type, shape: [rows, columns], length: rows * columns * bytes };
  };
  const norm = (name: string): SizedTensor => {
    return { name: `${name}.weight`, type: F32, shape: [width], length: 4 * width };
  };
  const cacheWidth = (width / heads) * cacheHeads;
  const blocks = Array.from({ length: layers }, (_, layer) => [
    norm(`blk.${layer}.attn_norm`),
    matrix(`blk.${layer}.attn_q`, width, width),
    matrix(`blk.${layer}.attn_k`, cacheWidth, width),
    matrix(`blk.${layer}.attn_v`, cacheWidth, width),
    matrix(`blk.${layer}.attn_output`, width, width),
    norm(`blk.${layer}.ffn_norm`),
    matrix(`blk.${layer}.ffn_gate`, innerWidth, width),
    matrix(`blk.${layer}.ffn_up`, innerWidth, width),
    matrix(`blk.${layer}.ffn_down`, width, innerWidth),
  ]);
  const vocabulary = byteTokens().length + moreTokens + 2;
  return [matrix('token_embd', vocabulary, width), ...blocks.flat(), norm('output_norm')];
}
