import * as v from 'valibot';
import { ConfigFault, parsed, type ReadConfig } from '../model-config.ts';

/** How the vector of a text is made from those of its tokens. */
export type Pooling = 'cls' | 'mean' | 'mean_sqrt_len' | 'max' | 'last' | 'weighted_mean';

/** The configuration of the module `Pooling`. */
export interface PoolingConfig {
  /** At least one. The vectors of several are joined in this order. */
  pooling: Pooling[];
  /** Numbers in the vector of a token; undefined: the file does not say it. */
  width: number | undefined;
  /** Whether the tokens of a prompt are left out. */
  poolsWithoutPrompt: boolean;
}

/** Names in the files, in the order in which sentence-transformers joins the vectors of several. */
const POOLINGS: { pooling: Pooling; flag: string; mode: string }[] = [
  { pooling: 'cls', flag: 'pooling_mode_cls_token', mode: 'cls' },
  { pooling: 'max', flag: 'pooling_mode_max_tokens', mode: 'max' },
  { pooling: 'mean', flag: 'pooling_mode_mean_tokens', mode: 'mean' },
  {
    pooling: 'mean_sqrt_len',
    flag: 'pooling_mode_mean_sqrt_len_tokens',
    mode: 'mean_sqrt_len_tokens',
  },
  {
    pooling: 'weighted_mean',
    flag: 'pooling_mode_weightedmean_tokens',
    mode: 'weightedmean',
  },
  { pooling: 'last', flag: 'pooling_mode_lasttoken', mode: 'lasttoken' },
];

const poolingSchema = v.looseObject({
  word_embedding_dimension: v.optional(v.number()),
  /** The name of `word_embedding_dimension` in newer versions. */
  embedding_dimension: v.optional(v.number()),
  /** Newer versions name the modes here, in place of a flag for each. */
  pooling_mode: v.optional(v.union([v.string(), v.array(v.string())])),
  include_prompt: v.optional(v.boolean(), true),
});

/** @throws ConfigFault if the file names no pooling mode, or one that is not known */
export async function readPoolingConfig(path: string, read: ReadConfig): Promise<PoolingConfig> {
  const config = await parsed(poolingSchema, path, read);
  const { pooling_mode, word_embedding_dimension, embedding_dimension, include_prompt } = config;
  const pooling =
    pooling_mode === undefined
      ? POOLINGS.filter(({ flag }) => config[flag] === true).map((known) => known.pooling)
      : [pooling_mode].flat().map((mode) => poolingOf(mode, path));
  if (pooling.length === 0) throw new ConfigFault(`its ${path} names no pooling mode`);
  return {
    pooling,
    width: embedding_dimension ?? word_embedding_dimension,
    poolsWithoutPrompt: !include_prompt,
  };
}

function poolingOf(mode: string, path: string): Pooling {
  const known = POOLINGS.find((each) => each.mode === mode);
  if (known) return known.pooling;
  throw new ConfigFault(`its ${path} names the pooling mode '${mode}', which is not known`);
}
