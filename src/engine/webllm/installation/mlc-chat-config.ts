import * as v from 'valibot';
import type { Sampling } from '../../../core/operations/jobs/jobs.ts';
import type { TokenizerFacts } from '../../conversation/prompt/tokenizer-files.ts';
import { parseFile, readJson, type ReadFile } from '../../download/transfer/read-file.ts';

const PATH = 'mlc-chat-config.json';
const DEFAULT_TEMPERATURE = 1;

const objectSchema = v.record(v.string(), v.unknown());

/** The part of `mlc-chat-config.json` that we use. */
export const chatConfigSchema = v.object({
  context_window_size: v.number(),
  vocab_size: v.optional(v.number()),
  temperature: v.nullish(v.number()),
  top_p: v.nullish(v.number()),
  frequency_penalty: v.nullish(v.number()),
  presence_penalty: v.nullish(v.number()),
  repetition_penalty: v.nullish(v.number()),
  conv_template: v.object({
    system_template: v.optional(v.string(), '{system_message}'),
    system_message: v.optional(v.string(), ''),
    system_prefix_token_ids: v.nullish(v.array(v.number())),
    render_empty_system_message: v.nullish(v.boolean()),
    add_role_after_system_message: v.nullish(v.boolean()),
    roles: v.record(v.string(), v.string()),
    role_templates: v.nullish(v.record(v.string(), v.string())),
    seps: v.array(v.string()),
    role_content_sep: v.optional(v.string(), ': '),
    role_empty_sep: v.optional(v.string(), ': '),
    stop_str: v.optional(v.array(v.string()), []),
    stop_token_ids: v.optional(v.array(v.number()), []),
  }),
  eos_token_id: v.nullish(v.union([v.number(), v.array(v.number())])),
});

export type ChatConfig = v.InferOutput<typeof chatConfigSchema>;

/**
 * @param overrides - replace the file's own values, as in WebLLM's list of models
 * @throws ModelFileError if the file is missing or cannot be used
 */
export async function readChatConfig(
  read: ReadFile,
  overrides: Record<string, unknown>,
): Promise<ChatConfig> {
  const file = parseFile(objectSchema, await readJson(read, PATH), PATH);
  return parseFile(chatConfigSchema, { ...file, ...overrides }, PATH);
}

/** The architecture with which WebLLM reads images. For others, it does not know the size to scale them to. */
const SEEING = 'phi3_v';

/** @throws ModelFileError if the configuration is missing or cannot be read */
export async function seesImages(read: ReadFile): Promise<boolean> {
  const file = parseFile(objectSchema, await readJson(read, PATH), PATH);
  return file['model_type'] === SEEING;
}

/** The model's default sampling parameters. */
export function defaultSampling(config: ChatConfig): Sampling & { temperature: number } {
  const { top_p, frequency_penalty, presence_penalty, repetition_penalty } = config;
  return {
    temperature: config.temperature ?? DEFAULT_TEMPERATURE,
    ...(top_p != null && { topP: top_p }),
    ...(frequency_penalty != null && { frequencyPenalty: frequency_penalty }),
    ...(presence_penalty != null && { presencePenalty: presence_penalty }),
    ...(repetition_penalty != null && { repetitionPenalty: repetition_penalty }),
  };
}

/** Ids of all tokens that end a turn: the configuration names some by id, some by text. */
export function stopTokenIds(
  { conv_template: conv, eos_token_id }: ChatConfig,
  { eosToken, tokenIds }: TokenizerFacts,
): number[] {
  const byText = [...conv.stop_str, eosToken].map((text) => tokenIds.get(text));
  const ids = [...conv.stop_token_ids, ...[eos_token_id ?? []].flat(), ...byText];
  return [...new Set(ids.filter((id) => id !== undefined))];
}
