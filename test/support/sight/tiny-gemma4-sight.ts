import type { Field } from '../gguf/gguf-bytes.ts';
import {
  HEADS,
  INNER,
  languageModel,
  LAYERS,
  layered,
  PATCH,
  projectorFile,
  tensorOf,
  tensors,
  WIDTH,
} from './tiny-sight-parts.ts';

/** The last layer uses the KV cache of the first one. */
const MODEL_LAYERS = 3;
/** Widths of a head, in layers with a window and in layers without. */
const [HEAD, FULL_HEAD] = [16, 32];
/** Width of the vector that each layer gets for each token. */
const LAYER_INPUT = 8;
/** Most patches along a side of a picture. */
const PLACES = 192;

/** A model of the architecture of Gemma 4. */
export function gemma4Model(width: number): Uint8Array {
  const make = tensors(1);
  const isFull = (layer: number) => layer === 1;
  const layers = layered(MODEL_LAYERS, (layer) => {
    const name = `blk.${layer}`;
    const head = isFull(layer) ? FULL_HEAD : HEAD;
    const ofWidth = ['attn_norm', 'post_attention_norm', 'ffn_norm', 'post_ffw_norm', 'post_norm'];
    return [
      ...ofWidth.map((each) => make(`${name}.${each}.weight`, width)),
      ...['attn_q_norm', 'attn_k_norm'].map((each) => make(`${name}.${each}.weight`, head)),
      ...['attn_q', 'attn_k', 'attn_v'].map((each) =>
        make(`${name}.${each}.weight`, HEADS * head, width),
      ),
      make(`${name}.attn_output.weight`, width, HEADS * head),
      ...['ffn_gate', 'ffn_up'].map((each) => make(`${name}.${each}.weight`, INNER, width)),
      make(`${name}.ffn_down.weight`, width, INNER),
      make(`${name}.inp_gate.weight`, LAYER_INPUT, width),
      make(`${name}.proj.weight`, width, LAYER_INPUT),
      make(`${name}.layer_output_scale.weight`, 1),
    ];
  });
  const factors = Array.from({ length: FULL_HEAD / 2 }, (_, index) => (index < 4 ? 1 : 1e30));
  const numbers: Record<string, Field> = {
    block_count: { u32: MODEL_LAYERS },
    context_length: { u32: 2048 },
    embedding_length: { u32: width },
    embedding_length_per_layer_input: { u32: LAYER_INPUT },
    'attention.key_length': { u32: FULL_HEAD },
    'attention.value_length': { u32: FULL_HEAD },
    'attention.key_length_swa': { u32: HEAD },
    'attention.value_length_swa': { u32: HEAD },
    'attention.sliding_window': { u32: 64 },
    'attention.sliding_window_pattern': { i32s: [1, 0, 1] },
    'attention.shared_kv_layers': { u32: 1 },
    'rope.dimension_count': { u32: FULL_HEAD },
    'rope.dimension_count_swa': { u32: HEAD },
    'rope.freq_base': { f32: 1_000_000 },
    'rope.freq_base_swa': { f32: 10_000 },
    final_logit_softcapping: { f32: 30 },
  };
  return languageModel({
    architecture: 'gemma4',
    numbers,
    special: ['<|image>', '<image|>'],
    weights: (vocabulary) => [
      make('token_embd.weight', vocabulary, width),
      make('per_layer_token_embd.weight', vocabulary, MODEL_LAYERS * LAYER_INPUT),
      make('per_layer_model_proj.weight', MODEL_LAYERS * LAYER_INPUT, width),
      make('per_layer_proj_norm.weight', LAYER_INPUT),
      make('output_norm.weight', width),
      tensorOf('rope_freqs.weight', factors, [FULL_HEAD / 2]),
      ...layers,
    ],
  });
}

/**
 * A projector like Gemma 4's, with limits of one matrix product, as some Gemma 4 projectors have.
 *
 * @param merged - a vector is the mean of `merged` × `merged` patches
 * @param sound - type of the projector for sound in the same file
 */
export function gemma4Projector(modelWidth: number, merged: number, sound?: string): Uint8Array {
  const make = tensors(2);
  const layers = layered(LAYERS, (layer) => {
    const name = `v.blk.${layer}`;
    return [
      ...['ln1', 'ln2', 'attn_post_norm', 'ffn_post_norm'].map((each) =>
        make(`${name}.${each}.weight`, WIDTH),
      ),
      ...['attn_q_norm', 'attn_k_norm'].map((each) =>
        make(`${name}.${each}.weight`, WIDTH / HEADS),
      ),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_out'].map((each) =>
        make(`${name}.${each}.weight`, WIDTH, WIDTH),
      ),
      ...['ffn_gate', 'ffn_up'].map((each) => make(`${name}.${each}.weight`, INNER, WIDTH)),
      make(`${name}.ffn_down.weight`, WIDTH, INNER),
    ];
  });
  const limits = [
    ...[['input_min', -0.4] as const, ['input_max', 0.3] as const],
    ...[['output_min', -0.6] as const, ['output_max', 0.5] as const],
  ].map(([name, limit]) => tensorOf(`v.blk.0.attn_q.${name}`, [limit], [1]));
  const all = [
    make('v.patch_embd.weight', WIDTH, 3, PATCH, PATCH),
    make('v.position_embd.weight', 2, PLACES, WIDTH),
    ...layers,
    ...limits,
    make('v.std_bias', WIDTH),
    make('v.std_scale', WIDTH),
    make('mm.input_projection.weight', modelWidth, WIDTH),
  ];
  return projectorFile('gemma4v', all, {
    ...(sound !== undefined && { sound }),
    numbers: { projection_dim: modelWidth, 'projector.scale_factor': merged },
    metadata: {
      'clip.vision.image_mean': { f32s: [0, 0, 0] },
      'clip.vision.image_std': { f32s: [1, 1, 1] },
    },
  });
}
