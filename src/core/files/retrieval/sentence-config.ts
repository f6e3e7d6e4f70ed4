import * as v from 'valibot';
import {
  ConfigFault,
  MODEL_CONFIG,
  optional,
  parsed,
  TOKENIZER_CONFIG,
  type ReadConfig,
} from '../model-config.ts';
import type { Embedding } from '../../catalog/catalog-entry.ts';
import { readPoolingConfig, type Pooling } from './pooling-config.ts';

/** Facts from the files of a sentence embedder, which have the layout of the package sentence-transformers. */
export interface SentenceConfig {
  embedding: Embedding;
  /** Empty: no file names one, and the model's graph gives vectors of whole texts. */
  pooling: Pooling[];
  /** Whether the tokens of a prompt are left out when those of its text are pooled. */
  poolsWithoutPrompt: boolean;
  /** Modules that change the pooled vector, other than cutting and normalising it, e.g. `Dense`. */
  furtherModules: string[];
  /** Most tokens of a text, special ones included. */
  maxTokens: number;
  /** Name of the kind of text → prefix of such a text. */
  prompts: Record<string, string>;
  /** The files of its modules, whose folders modules.json names. */
  moduleFiles: string[];
}

/** Lists the parts of a sentence embedder. */
export const MODULES = 'modules.json';
const SENTENCE_CONFIGS = ['sentence_bert_config.json', 'config_sentence_transformers.json'];

/** The files that say how a sentence embedder works, in addition to those that every model has. */
export const SENTENCE_FILES = [MODULES, ...SENTENCE_CONFIGS];

/** The output of a graph that gives a vector for each text, after pooling and all further modules. */
export const OF_TEXTS = 'sentence_embedding';

const modelSchema = v.looseObject({
  model_type: v.optional(v.string()),
  /** Names of tasks, each of which has weights of its own. */
  lora_adaptations: v.nullish(v.array(v.string())),
  hidden_size: v.optional(v.number()),
  n_embd: v.optional(v.number()),
  dim: v.optional(v.number()),
  max_position_embeddings: v.optional(v.number()),
  n_positions: v.optional(v.number()),
  pad_token_id: v.nullish(v.number()),
  matryoshka_dimensions: v.optional(v.array(v.number())),
  id2label: v.optional(v.record(v.string(), v.unknown())),
});

/** `model_max_length` is 10^30 if a tokenizer has no limit. */
const tokenizerSchema = v.looseObject({ model_max_length: v.optional(v.number()) });
const modulesSchema = v.array(v.looseObject({ type: v.string(), path: v.string() }));
const lengthSchema = v.looseObject({ max_seq_length: v.nullish(v.number()) });
const promptsSchema = v.looseObject({
  prompts: v.optional(v.record(v.string(), v.nullable(v.string()))),
});
const denseSchema = v.looseObject({ out_features: v.number() });

/**
 * Reads the files of a sentence embedder. Nothing is guessed.
 *
 * @throws ConfigFault if they do not say enough
 */
export async function readSentenceConfig(read: ReadConfig): Promise<SentenceConfig> {
  const model = await readModelConfig(read);
  const modules = await parsed(modulesSchema, MODULES, read);
  const [, ...following] = modules.map(({ type, path }) => ({
    type: lastName(type),
    path: `${path}/config.json`,
  }));
  const pathOf = (wanted: string) => following.findLast(({ type }) => type === wanted)?.path;
  const path = pathOf('Pooling');
  if (path === undefined) throw new ConfigFault(`its ${MODULES} names no pooling`);
  const { pooling, poolsWithoutPrompt, ...pooled } = await readPoolingConfig(path, read);
  const width = pooled.width ?? widthOf(model);
  if (width === undefined) throw new ConfigFault(`its ${MODEL_CONFIG} has no hidden_size`);
  const densePath = pathOf('Dense');
  const dense = densePath === undefined ? undefined : await optional(denseSchema, densePath, read);
  return {
    embedding: {
      length: dense?.out_features ?? width * pooling.length,
      ...trainedLengths(model),
    },
    pooling,
    poolsWithoutPrompt,
    furtherModules: following
      .map(({ type }) => type)
      .filter((type) => !['Pooling', 'Normalize', 'Dropout'].includes(type)),
    maxTokens: await maxTokens(read, model),
    prompts: await prompts(read),
    moduleFiles: following.map((module) => module.path),
  };
}

/**
 * Facts about an embedder without modules.json, whose graph gives vectors of whole texts.
 *
 * @param length - numbers in such a vector, if the graph tells
 * @throws ConfigFault if the files do not say enough
 */
export async function readWholeConfig(read: ReadConfig, length?: number): Promise<SentenceConfig> {
  const model = await readModelConfig(read);
  const width = length ?? widthOf(model);
  if (width === undefined) throw new ConfigFault(`its ${MODEL_CONFIG} has no hidden_size`);
  return {
    embedding: { length: width, ...trainedLengths(model) },
    pooling: [],
    poolsWithoutPrompt: false,
    furtherModules: [],
    moduleFiles: [],
    maxTokens: await maxTokens(read, model),
    prompts: await prompts(read),
  };
}

/**
 * Facts that a sentence embedder's repository has, but not its GGUF file: its prompts, and the lengths that its vectors
 * may be cut to.
 *
 * @throws ConfigFault if a file is not as it should be
 */
export async function readSentenceExtras(
  read: ReadConfig,
): Promise<{ prompts?: Record<string, string>; dimensions?: number[] }> {
  const model = await optional(modelSchema, MODEL_CONFIG, read);
  const named = await prompts(read);
  return {
    ...(model && trainedLengths(model)),
    ...(Object.keys(named).length > 0 && { prompts: named }),
  };
}

/** Facts from the files of a cross-encoder. */
export interface RankerConfig {
  /** Most tokens of a query and a document together, special ones included. */
  maxTokens: number;
}

/** @throws ConfigFault if the model does not give a pair of texts one score */
export async function readRankerConfig(read: ReadConfig): Promise<RankerConfig> {
  const model = await readModelConfig(read);
  const labels = Object.keys(model.id2label ?? {}).length;
  if (labels !== 1) {
    throw new ConfigFault(`its ${MODEL_CONFIG} has ${labels} labels, and a ranker has one`);
  }
  return { maxTokens: await maxTokens(read, model) };
}

/** @throws ConfigFault also for a model that needs more than a text, as jina-embeddings-v3 does */
async function readModelConfig(read: ReadConfig) {
  const model = await parsed(modelSchema, MODEL_CONFIG, read);
  if (!model.lora_adaptations) return model;
  const fault = 'has lora_adaptations: its graph needs the name of a task, which is not supported';
  throw new ConfigFault(`its ${MODEL_CONFIG} ${fault}`);
}

/** Shorter vector lengths that a Matryoshka model was trained for. */
function trainedLengths({ matryoshka_dimensions: all }: v.InferOutput<typeof modelSchema>) {
  return all && { dimensions: all.toSorted((a, b) => a - b) };
}

function widthOf({ hidden_size, n_embd, dim }: v.InferOutput<typeof modelSchema>) {
  return hidden_size ?? n_embd ?? dim;
}

async function maxTokens(
  read: ReadConfig,
  model: v.InferOutput<typeof modelSchema>,
): Promise<number> {
  const [sentence, tokenizer] = await Promise.all([
    optional(lengthSchema, 'sentence_bert_config.json', read),
    optional(tokenizerSchema, TOKENIZER_CONFIG, read),
  ]);
  const limits = [sentence?.max_seq_length, tokenizer?.model_max_length, positionsOf(model)];
  const least = Math.min(...limits.flatMap((limit) => limit ?? []));
  if (Number.isFinite(least)) return least;
  throw new ConfigFault('its files do not say how long a text may be');
}

/** Model types whose positions begin behind the number of the padding token. */
const SHIFTED = ['roberta', 'xlm-roberta', 'camembert', 'mpnet'];

/** How many tokens have a position. nomic-embed-text states two numbers: the smaller is what it was trained on. */
function positionsOf({
  model_type = '',
  max_position_embeddings,
  n_positions,
  pad_token_id,
}: v.InferOutput<typeof modelSchema>): number | undefined {
  const all = [max_position_embeddings, n_positions].flatMap((count) => count ?? []);
  if (all.length === 0) return undefined;
  return Math.max(...all) - (SHIFTED.includes(model_type) ? (pad_token_id ?? 1) + 1 : 0);
}

async function prompts(read: ReadConfig): Promise<Record<string, string>> {
  const config = await optional(promptsSchema, 'config_sentence_transformers.json', read);
  const all = Object.entries(config?.prompts ?? {});
  return Object.fromEntries(all.flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
}

/** `sentence_transformers.models.Pooling` → `Pooling` */
function lastName(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}
