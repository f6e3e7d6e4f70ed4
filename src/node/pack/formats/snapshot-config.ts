import * as v from 'valibot';

import type { LlamaShape, SpecialTokens } from './checkpoint.ts';
import { PackError } from '../pack-error.ts';

const tokenIds = v.union([v.number(), v.array(v.number())]);

/** Read first, because models of other architectures have other fields. */
export const architectureSchema = v.object({ architectures: v.optional(v.array(v.string()), []) });

/** The part of a hub model's `config.json` that matters here, with transformers' own defaults. */
export const snapshotConfigSchema = v.object({
  hidden_size: v.number(),
  intermediate_size: v.number(),
  num_hidden_layers: v.number(),
  num_attention_heads: v.number(),
  num_key_value_heads: v.nullish(v.number()),
  head_dim: v.nullish(v.number()),
  vocab_size: v.number(),
  rms_norm_eps: v.optional(v.number(), 1e-6),
  rope_theta: v.optional(v.number(), 10000),
  rope_scaling: v.nullish(v.unknown()),
  /** Replaces the two fields above since transformers 5. */
  rope_parameters: v.nullish(v.object({ rope_theta: v.number(), rope_type: v.string() })),
  hidden_act: v.optional(v.string(), 'silu'),
  attention_bias: v.optional(v.boolean(), false),
  mlp_bias: v.optional(v.boolean(), false),
  tie_word_embeddings: v.optional(v.boolean(), false),
  bos_token_id: v.nullish(tokenIds),
  eos_token_id: tokenIds,
  pad_token_id: v.nullish(v.number()),
});

export type SnapshotConfig = v.InferOutput<typeof snapshotConfigSchema>;

/** @throws PackError for models of other architectures */
export function requireLlama(
  { architectures }: v.InferOutput<typeof architectureSchema>,
  name: string,
): void {
  if (architectures.includes('LlamaForCausalLM')) return;
  const found = architectures.join(', ') || 'none in its config.json';
  throw new PackError(`${name} has architecture ${found}; only LlamaForCausalLM is supported.`);
}

/**
 * @param name - name of the folder, for the error message
 * @throws PackError for models that the model library has no kernels for
 */
export function snapshotShape(config: SnapshotConfig, name: string): LlamaShape {
  requirePlainLlama(config, name);
  const heads = config.num_attention_heads;
  return {
    hidden: config.hidden_size,
    layers: config.num_hidden_layers,
    heads,
    kvHeads: config.num_key_value_heads ?? heads,
    headDim: config.head_dim ?? config.hidden_size / heads,
    ffn: config.intermediate_size,
    vocab: config.vocab_size,
    normEpsilon: config.rms_norm_eps,
    ropeTheta: config.rope_parameters?.rope_theta ?? config.rope_theta,
  };
}

export function snapshotSpecialTokens(config: SnapshotConfig): SpecialTokens {
  const ends = [config.eos_token_id].flat();
  const [end = 0] = ends;
  const [begin = end] = [config.bos_token_id ?? end].flat();
  return { begin, end, padding: config.pad_token_id ?? end, stop: ends };
}

function requirePlainLlama(config: SnapshotConfig, name: string): void {
  const ropeType = config.rope_parameters?.rope_type ?? 'default';
  const unsupported: Record<string, boolean> = {
    'rope scaling, which is not supported': Boolean(config.rope_scaling) || ropeType !== 'default',
    'biases, which are not supported': config.attention_bias || config.mlp_bias,
    'an output head of its own; only tied embeddings are supported': !config.tie_word_embeddings,
    [`the activation ${config.hidden_act}; only silu is supported`]: config.hidden_act !== 'silu',
  };
  const reason = Object.keys(unsupported).find((key) => unsupported[key]);
  if (reason) throw new PackError(`${name} has ${reason}.`);
}
