import * as v from 'valibot';
import { requireUsablePatterns } from '../../download/hub/usable-patterns.ts';
import { parseFile, readJson, type ReadFile } from '../../download/transfer/read-file.ts';

/** The name of the template for prompts with tools, where a model has several. */
export const TOOL_TEMPLATE = 'tool_use';

const tokenText = v.union([v.string(), v.object({ content: v.string() })]);

/** The part of `tokenizer_config.json` that we use. */
const tokenizerConfigSchema = v.object({
  chat_template: v.nullish(
    v.union([v.string(), v.array(v.object({ name: v.string(), template: v.string() }))]),
  ),
  bos_token: v.nullish(tokenText),
  eos_token: v.nullish(tokenText),
});

/** The part of `tokenizer.json` that we use. */
const tokenizerSchema = v.object({
  added_tokens: v.optional(
    v.array(
      v.object({ id: v.number(), content: v.string(), special: v.optional(v.boolean(), false) }),
    ),
    [],
  ),
});

/** A model's control tokens and added tokens, and its chat template. */
export interface TokenizerFacts {
  /** Jinja source; undefined if the model has none. */
  chatTemplate: string | undefined;
  /** The template for prompts with tools, if it is another one; undefined: it is not. */
  toolTemplate?: string | undefined;
  bosToken: string;
  eosToken: string;
  /** Texts that the tokenizer turns into control tokens, e.g. `<|im_end|>`. */
  controlTokens: string[];
  /** Token ids by text, of the tokens added to the vocabulary. */
  tokenIds: Map<string, number>;
}

/**
 * @param tokenizer - content of `tokenizer.json`
 * @param config - content of `tokenizer_config.json`
 * @param template - content of `chat_template.jinja`, in which newer models keep it
 * @throws ModelFileError
 */
export function tokenizerFacts(
  tokenizer: unknown,
  config: unknown,
  template?: string,
): TokenizerFacts {
  requireUsablePatterns(tokenizer);
  const { added_tokens: added } = parseFile(tokenizerSchema, tokenizer, 'tokenizer.json');
  const { chat_template, bos_token, eos_token } = parseFile(
    tokenizerConfigSchema,
    config,
    'tokenizer_config.json',
  );
  return {
    // An empty template counts as none.
    chatTemplate: (template ?? defaultTemplate(chat_template)) || undefined,
    ...(template === undefined && { toolTemplate: toolTemplate(chat_template) }),
    bosToken: text(bos_token),
    eosToken: text(eos_token),
    controlTokens: added.filter((token) => token.special).map((token) => token.content),
    tokenIds: new Map(added.map((token) => [token.content, token.id])),
  };
}

type Templates = v.InferOutput<typeof tokenizerConfigSchema>['chat_template'];

function defaultTemplate(templates: Templates): string | undefined {
  if (!Array.isArray(templates)) return templates ?? undefined;
  return (templates.find(({ name }) => name === 'default') ?? templates[0])?.template;
}

function toolTemplate(templates: Templates): string | undefined {
  if (!Array.isArray(templates)) return undefined;
  return templates.find(({ name }) => name === TOOL_TEMPLATE)?.template;
}

function text(token: v.InferOutput<typeof tokenText> | null | undefined): string {
  return typeof token === 'string' ? token : (token?.content ?? '');
}

/** Reads the facts from a model's files. */
export async function readTokenizerFacts(read: ReadFile): Promise<TokenizerFacts> {
  const tokenizer = (await read('tokenizer.json')) ? await readJson(read, 'tokenizer.json') : {};
  const config = (await read('tokenizer_config.json'))
    ? await readJson(read, 'tokenizer_config.json')
    : {};
  const template = await read('chat_template.jinja');
  return tokenizerFacts(tokenizer, config, await template?.text());
}
