import type { Tensor } from '../gguf/gguf-bytes.ts';
import { gemma4Model, gemma4Projector } from './tiny-gemma4-sight.ts';
import { qwen25Projector, qwen3Model, qwen3Projector } from './tiny-qwen-sight.ts';
import {
  INNER,
  languageModel,
  LAYERS,
  layered,
  linear,
  norm,
  PATCH,
  projectorFile,
  SIDE,
  tensors,
  WIDTH,
} from './tiny-sight-parts.ts';

/** Plain projectors: with pieces of a picture, with pieces that are read whole, with positions in two dimensions. */
type Plain = 'idefics3' | 'gemma3' | 'qwen2vl_merger';

/**
 * One projector for each way to see. Beyond the plain ones: attention within windows (`qwen2.5vl_merger`), vectors for
 * several layers of the model (`qwen3vl_merger`), and pieces of any size that are read whole (`gemma4v`) or, with Gemma
 * 4 E2B, in parts.
 */
export const SIGHTS = [
  ...(['idefics3', 'gemma3', 'qwen2vl_merger', 'qwen2.5vl_merger', 'qwen3vl_merger'] as const),
  ...(['gemma4v', 'gemma4v of E2B'] as const),
];
export type Sight = (typeof SIGHTS)[number];

/**
 * The width of Gemma 4 E2B, which also hears. By this width, llama.cpp knows that the tokens of a piece do not attend
 * to later ones.
 */
const E2B_WIDTH = 1536;

/** The GGUF files of a small model with random weights, always the same ones, and of its projector. */
export function tinySight(sight: Sight): { model: Uint8Array; projector: Uint8Array } {
  switch (sight) {
    case 'qwen2.5vl_merger':
      return { model: model(true), projector: qwen25Projector() };
    case 'qwen3vl_merger':
      return { model: qwen3Model(), projector: qwen3Projector() };
    case 'gemma4v':
      return { model: gemma4Model(WIDTH), projector: gemma4Projector(WIDTH, 1) };
    case 'gemma4v of E2B':
      return { model: gemma4Model(E2B_WIDTH), projector: gemma4Projector(E2B_WIDTH, 3, 'gemma4a') };
    default:
      return { model: model(sight === 'qwen2vl_merger'), projector: projector(sight) };
  }
}

function model(hasDimensions: boolean): Uint8Array {
  const make = tensors(1);
  const layers = layered(LAYERS, (layer) => {
    const name = `blk.${layer}`;
    return [
      ...['attn_norm', 'ffn_norm'].map((each) => make(`${name}.${each}.weight`, WIDTH)),
      ...['attn_q', 'attn_k', 'attn_v'].flatMap((each) => linear(make, `${name}.${each}`)),
      make(`${name}.attn_output.weight`, WIDTH, WIDTH),
      ...['ffn_gate', 'ffn_up'].map((each) => make(`${name}.${each}.weight`, INNER, WIDTH)),
      make(`${name}.ffn_down.weight`, WIDTH, INNER),
    ];
  });
  const isUsed = ({ name }: Tensor) => hasDimensions || !name.endsWith('bias');
  return languageModel({
    architecture: hasDimensions ? 'qwen2vl' : 'llama',
    numbers: hasDimensions ? { 'rope.dimension_sections': { i32s: [4, 2, 2, 0] } } : {},
    weights: (vocabulary) =>
      [
        make('token_embd.weight', vocabulary, WIDTH),
        make('output_norm.weight', WIDTH),
        make('output.weight', vocabulary, WIDTH),
        ...layers,
      ].filter(isUsed),
  });
}

function projector(sight: Plain): Uint8Array {
  const make = tensors(2);
  const layers = layered(LAYERS, (layer) => {
    const name = `v.blk.${layer}`;
    return [
      ...['ln1', 'ln2'].flatMap((each) => norm(make, `${name}.${each}`)),
      ...['attn_q', 'attn_k', 'attn_v', 'attn_out'].flatMap((each) =>
        linear(make, `${name}.${each}`),
      ),
      ...linear(make, `${name}.ffn_up`, INNER, WIDTH),
      ...linear(make, `${name}.ffn_down`, WIDTH, INNER),
    ];
  });
  const patches = (SIDE / PATCH) ** 2;
  const eye = [
    make('v.patch_embd.weight', WIDTH, 3, PATCH, PATCH),
    ...layers,
    ...norm(make, 'v.post_ln'),
  ];
  const ofPlaces = [
    make('v.patch_embd.bias', WIDTH),
    make('v.position_embd.weight', patches, WIDTH),
  ];
  const last: Record<Plain, Tensor[]> = {
    idefics3: [...ofPlaces, make('mm.model.fc.weight', WIDTH, 4 * WIDTH)],
    gemma3: [
      ...ofPlaces,
      make('mm.input_projection.weight', WIDTH, WIDTH),
      make('mm.soft_emb_norm.weight', WIDTH),
    ],
    qwen2vl_merger: [
      make('v.patch_embd.weight.1', WIDTH, 3, PATCH, PATCH),
      ...linear(make, 'mm.0', 4 * WIDTH, 4 * WIDTH),
      ...linear(make, 'mm.2', WIDTH, 4 * WIDTH),
    ],
  };
  return projectorFile(sight, [...eye, ...last[sight]]);
}
