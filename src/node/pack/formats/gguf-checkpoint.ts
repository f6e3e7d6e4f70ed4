import * as v from 'valibot';

import { field, optionalField, texts } from '../../../core/files/gguf/gguf-header.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import { readTensor, type Checkpoint, type LlamaShape, type SpecialTokens } from './checkpoint.ts';
import { readGguf, type GgufFile } from './gguf-file.ts';
import { ggufTokenizer, ggufTokenizerConfig } from './gguf-tokenizer.ts';
import { PackError } from '../pack-error.ts';

/** The hub's names → llama.cpp's names, without `blk.<i>.`. */
const LAYER_NAMES = new Map([
  ['input_layernorm', 'attn_norm'],
  ['self_attn.q_proj', 'attn_q'],
  ['self_attn.k_proj', 'attn_k'],
  ['self_attn.v_proj', 'attn_v'],
  ['self_attn.o_proj', 'attn_output'],
  ['post_attention_layernorm', 'ffn_norm'],
  ['mlp.gate_proj', 'ffn_gate'],
  ['mlp.up_proj', 'ffn_up'],
  ['mlp.down_proj', 'ffn_down'],
]);

/** Tensors of Llamas that the model library has no kernels for. */
const UNSUPPORTED = /^(output\.weight|rope_freqs\.weight|blk\.\d+\..*(\.bias|_exps\.weight))$/;

/** @throws GgufError or PackError if the file is damaged or is not a plain Llama */
export async function ggufCheckpoint(source: ByteSource): Promise<Checkpoint> {
  const file = await readGguf(source);
  const shape = readShape(file);
  return {
    shape,
    specialTokens: readSpecialTokens(file),
    tokenizer: ggufTokenizer(file),
    tokenizerConfig: ggufTokenizerConfig(file, field(file, 'llama.context_length', v.number())),
    tensor(name, dimensions) {
      const values = readTensor(source, file.tensors.get(ggufName(name)), name, dimensions);
      return /\.[qk]_proj\./.test(name) ? contiguousHalves(values, shape) : values;
    },
    close: () => source.close(),
  };
}

function readShape(file: GgufFile): LlamaShape {
  const architecture = field(file, 'general.architecture', v.string());
  if (architecture !== 'llama') {
    throw new PackError(
      `${file.name} has the architecture ${architecture}; only llama is supported.`,
    );
  }
  requirePlain(file);
  const number = (key: string) => field(file, `llama.${key}`, v.number());
  const heads = number('attention.head_count');
  return {
    hidden: number('embedding_length'),
    layers: number('block_count'),
    heads,
    kvHeads: optionalField(file, 'llama.attention.head_count_kv', v.number()) ?? heads,
    headDim:
      optionalField(file, 'llama.attention.key_length', v.number()) ??
      number('embedding_length') / heads,
    ffn: number('feed_forward_length'),
    vocab: field(file, 'tokenizer.ggml.tokens', texts).length,
    normEpsilon: number('attention.layer_norm_rms_epsilon'),
    ropeTheta: optionalField(file, 'llama.rope.freq_base', v.number()) ?? 10000,
  };
}

function requirePlain(file: GgufFile): void {
  const unsupported = [...file.tensors.keys()].find((name) => UNSUPPORTED.test(name));
  if (unsupported) {
    throw new PackError(`${file.name}: Llamas with a tensor ${unsupported} are not supported.`);
  }
  const scaling = optionalField(file, 'llama.rope.scaling.type', v.string()) ?? 'none';
  if (scaling !== 'none') {
    throw new PackError(`${file.name} has rope scaling (${scaling}), which is not supported.`);
  }
}

function readSpecialTokens(file: GgufFile): SpecialTokens {
  const end = field(file, 'tokenizer.ggml.eos_token_id', v.number());
  const begin = optionalField(file, 'tokenizer.ggml.bos_token_id', v.number()) ?? end;
  const padding = optionalField(file, 'tokenizer.ggml.padding_token_id', v.number()) ?? end;
  const tokens = field(file, 'tokenizer.ggml.tokens', texts).all();
  const endOfText = tokens.indexOf('<|endoftext|>');
  return {
    begin,
    end,
    padding,
    stop: endOfText < 0 || endOfText === end ? [end] : [end, endOfText],
  };
}

function ggufName(name: string): string {
  if (name === 'model.embed_tokens.weight') return 'token_embd.weight';
  if (name === 'model.norm.weight') return 'output_norm.weight';
  const [, layer, part = ''] = /^model\.layers\.(\d+)\.(.+)\.weight$/.exec(name) ?? [];
  return `blk.${layer}.${LAYER_NAMES.get(part)}.weight`;
}

/** llama.cpp interleaves the rows of the two rotary halves of each head; this undoes it. */
function contiguousHalves(rows: Float32Array, { headDim, hidden }: LlamaShape): Float32Array {
  const result = new Float32Array(rows.length);
  const half = headDim / 2;
  for (let row = 0; row * hidden < rows.length; row++) {
    const inHead = row % headDim;
    const from = row - inHead + (inHead % half) * 2 + Math.floor(inHead / half);
    result.set(rows.subarray(from * hidden, (from + 1) * hidden), row * hidden);
  }
  return result;
}
