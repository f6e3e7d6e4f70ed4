import { f32Bytes, ggufBytes, type Field, type Tensor } from './gguf-bytes.ts';

/** The model's control tokens. The first one ends a turn. */
export const CONTROL_TOKENS = ['<|im_end|>', '<|im_start|>'];
/** Most tokens of the KV cache. */
export const TRAINED_CONTEXT = 256;

const WIDTH = 32;
const HEADS = 2;
const FEED_FORWARD = 64;
const LAYERS = 2;
const F32 = 0;
const NORMAL = 1;
const CONTROL = 3;

const tokens = [...byteCharacters(), 'th', ...CONTROL_TOKENS];
export const VOCABULARY_SIZE = tokens.length;

/**
 * A GGUF file of the Llama architecture, with two layers of random weights, always the same ones. The tokens are all
 * bytes, "th" and the control tokens.
 *
 * @param changes - metadata to add or to replace
 */
export function tinyLlama(changes: Record<string, Field> = {}): Uint8Array {
  return ggufBytes({ ...metadata(), ...changes }, tensors());
}

/** The model of `tinyLlama` as a split file of two parts. */
export function tinyLlamaParts(): [Uint8Array, Uint8Array] {
  const all = tensors();
  const half = Math.ceil(all.length / 2);
  const split = (part: number) => ({
    'split.no': { u16: part },
    'split.count': { u16: 2 },
    'split.tensors.count': { i32: all.length },
  });
  return [
    ggufBytes({ ...metadata(), ...split(0) }, all.slice(0, half)),
    ggufBytes(split(1), all.slice(half)),
  ];
}

function metadata(): Record<string, Field> {
  return {
    'general.architecture': { string: 'llama' },
    'llama.block_count': { u32: LAYERS },
    'llama.context_length': { u32: TRAINED_CONTEXT },
    'llama.embedding_length': { u32: WIDTH },
    'llama.feed_forward_length': { u32: FEED_FORWARD },
    'llama.attention.head_count': { u32: HEADS },
    'llama.attention.layer_norm_rms_epsilon': { f32: 1e-5 },
    'tokenizer.ggml.model': { string: 'gpt2' },
    'tokenizer.ggml.pre': { string: 'gpt-2' },
    'tokenizer.ggml.tokens': { strings: tokens },
    'tokenizer.ggml.token_type': {
      i32s: tokens.map((token) => (CONTROL_TOKENS.includes(token) ? CONTROL : NORMAL)),
    },
    'tokenizer.ggml.merges': { strings: ['t h'] },
    'tokenizer.ggml.eos_token_id': { u32: tokens.indexOf('<|im_end|>') },
    'tokenizer.ggml.bos_token_id': { u32: tokens.indexOf('<|im_start|>') },
    'tokenizer.ggml.add_bos_token': { bool: false },
  };
}

function tensors(): Tensor[] {
  const random = randomNumbers();
  const tensor = (name: string, ...shape: number[]): Tensor => {
    const count = shape.reduce((product, size) => product * size, 1);
    return { name, type: F32, shape, bytes: f32Bytes(Array.from({ length: count }, random)) };
  };
  const layer = (name: string) => [
    tensor(`${name}.attn_norm.weight`, WIDTH),
    tensor(`${name}.attn_q.weight`, WIDTH, WIDTH),
    tensor(`${name}.attn_k.weight`, WIDTH, WIDTH),
    tensor(`${name}.attn_v.weight`, WIDTH, WIDTH),
    tensor(`${name}.attn_output.weight`, WIDTH, WIDTH),
    tensor(`${name}.ffn_norm.weight`, WIDTH),
    tensor(`${name}.ffn_gate.weight`, FEED_FORWARD, WIDTH),
    tensor(`${name}.ffn_up.weight`, FEED_FORWARD, WIDTH),
    tensor(`${name}.ffn_down.weight`, WIDTH, FEED_FORWARD),
  ];
  return [
    tensor('token_embd.weight', tokens.length, WIDTH),
    tensor('output_norm.weight', WIDTH),
    tensor('output.weight', tokens.length, WIDTH),
    ...Array.from({ length: LAYERS }, (_, index) => layer(`blk.${index}`)).flat(),
  ];
}

/** Random numbers between -1 and 1, always the same ones. */
function randomNumbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

/** The characters that stand for the 256 bytes in the vocabulary of GPT-2. */
function byteCharacters(): string[] {
  const printable = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(printable(byte) ? byte : next++),
  );
}
