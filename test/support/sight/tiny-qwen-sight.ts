import type { Tensor } from '../gguf/gguf-bytes.ts';
import {
  HEADS,
  INNER,
  languageModel,
  LAYERS,
  layered,
  linear,
  type Make,
  norm,
  PATCH,
  projectorFile,
  SIDE,
  tensors,
  WIDTH,
} from './tiny-sight-parts.ts';

/** Qwen2.5-VL's windows have 112 × 112 pixels. With patches of this size, a window has 2 × 2 vectors of a picture. */
const LARGE_PATCH = 28;
/** Layers of the projector whose output goes to a layer of the model. */
const DEEP = 2;
const QWEN3_LAYERS = 3;
const MERGED = 4 * WIDTH;

/** A projector like Qwen2.5-VL's: its first layer attends within windows, its second one to the whole picture. */
export function qwen25Projector(): Uint8Array {
  const make = tensors(2);
  const layers = layered(LAYERS, (layer) => {
    const name = `v.blk.${layer}`;
    return [
      ...['ln1', 'ln2'].map((each) => make(`${name}.${each}.weight`, WIDTH)),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_out'].flatMap((each) =>
        linear(make, `${name}.${each}`),
      ),
      ...['ffn_gate', 'ffn_up'].flatMap((each) => linear(make, `${name}.${each}`, INNER, WIDTH)),
      ...linear(make, `${name}.ffn_down`, WIDTH, INNER),
    ];
  });
  const all = [
    ...patches(make, LARGE_PATCH),
    ...layers,
    make('v.post_ln.weight', WIDTH),
    ...merger(make),
  ];
  return projectorFile('qwen2.5vl_merger', all, {
    numbers: { patch_size: LARGE_PATCH, n_wa_pattern: 2 },
    metadata: { 'clip.use_gelu': { bool: false }, 'clip.use_silu': { bool: true } },
  });
}

/** A projector like Qwen3-VL's: a vector has a part for the model's input, and one for each of its first layers. */
export function qwen3Projector(): Uint8Array {
  const make = tensors(2);
  const layers = layered(LAYERS, (layer) => {
    const name = `v.blk.${layer}`;
    return [
      ...['ln1', 'ln2'].flatMap((each) => norm(make, `${name}.${each}`)),
      ...linear(make, `${name}.attn_qkv`, 3 * WIDTH, WIDTH),
      ...linear(make, `${name}.attn_out`),
      ...linear(make, `${name}.ffn_up`, INNER, WIDTH),
      ...linear(make, `${name}.ffn_down`, WIDTH, INNER),
    ];
  });
  const deep = layered(DEEP, (layer) => {
    const name = `v.deepstack.${layer}`;
    return [
      ...norm(make, `${name}.norm`, MERGED),
      ...linear(make, `${name}.fc1`, MERGED, MERGED),
      ...linear(make, `${name}.fc2`, WIDTH, MERGED),
    ];
  });
  return projectorFile('qwen3vl_merger', [
    ...patches(make, PATCH),
    make('v.patch_embd.bias', WIDTH),
    make('v.position_embd.weight', (SIDE / PATCH) ** 2, WIDTH),
    ...layers,
    ...deep,
    ...norm(make, 'v.post_ln'),
    ...merger(make),
  ]);
}

/** A model of the architecture of Qwen3-VL. */
export function qwen3Model(): Uint8Array {
  const make = tensors(1);
  const layers = layered(QWEN3_LAYERS, (layer) => {
    const name = `blk.${layer}`;
    return [
      ...['attn_norm', 'ffn_norm'].map((each) => make(`${name}.${each}.weight`, WIDTH)),
      ...['attn_q_norm', 'attn_k_norm'].map((each) =>
        make(`${name}.${each}.weight`, WIDTH / HEADS),
      ),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_output'].map((each) =>
        make(`${name}.${each}.weight`, WIDTH, WIDTH),
      ),
      ...['ffn_gate', 'ffn_up'].map((each) => make(`${name}.${each}.weight`, INNER, WIDTH)),
      make(`${name}.ffn_down.weight`, WIDTH, INNER),
    ];
  });
  return languageModel({
    architecture: 'qwen3vl',
    numbers: {
      block_count: { u32: QWEN3_LAYERS },
      n_deepstack_layers: { u32: DEEP },
      'rope.dimension_sections': { i32s: [4, 2, 2, 0] },
    },
    weights: (vocabulary) => [
      make('token_embd.weight', vocabulary, WIDTH),
      make('output_norm.weight', WIDTH),
      make('output.weight', vocabulary, WIDTH),
      ...layers,
    ],
  });
}

/** A picture is read as a film of two frames. */
function patches(make: Make, side: number): Tensor[] {
  return ['v.patch_embd.weight', 'v.patch_embd.weight.1'].map((name) =>
    make(name, WIDTH, 3, side, side),
  );
}

function merger(make: Make): Tensor[] {
  return [...linear(make, 'mm.0', MERGED, MERGED), ...linear(make, 'mm.2', WIDTH, MERGED)];
}
