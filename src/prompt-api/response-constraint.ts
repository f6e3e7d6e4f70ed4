import { isJson } from '../core/text/is-json.ts';
import { notSupported } from './exceptions.ts';
import type { ChatMessage } from './prompt-input.ts';
import type { LanguageModelPromptOptions } from './types.ts';

/** What an answer must be. */
export interface Constraint {
  /** Fields of a chat request. */
  fields: object;
  /** Text that tells the model; undefined: the page tells it itself. */
  hint: string | undefined;
  isMetBy(answer: string): boolean;
}

/**
 * @throws TypeError for a value that is neither a JSON Schema nor a RegExp; DOMException `NotSupportedError` for an
 *   object that JSON cannot express
 */
export function readConstraint({
  responseConstraint: given,
  omitResponseConstraintInput: omits = false,
}: LanguageModelPromptOptions): Constraint | undefined {
  if (given === undefined) {
    if (omits) throw new TypeError("'omitResponseConstraintInput' needs a 'responseConstraint'.");
    return undefined;
  }
  if (typeof given !== 'object' || (given as object | null) === null) {
    throw new TypeError("'responseConstraint' must be a JSON Schema or a RegExp.");
  }
  const { hint, ...constraint } = given instanceof RegExp ? ofPattern(given) : ofSchema(given);
  return { ...constraint, hint: omits ? undefined : hint };
}

/** The request leaves out the flags: an answer that fits the whole pattern without them fits it with them, too. */
function ofPattern({ source, flags, unicode, unicodeSets }: RegExp) {
  const pattern = new RegExp(source, flags.replaceAll(/[gy]/g, ''));
  return {
    fields: { guided_regex: unicode || unicodeSets ? source : withoutUnicodeEscapes(source) },
    hint: `Answer with text that matches the regular expression ${String(pattern)}.`,
    isMetBy: (answer: string) => pattern.test(answer),
  };
}

/**
 * The API reads patterns as if they had the flag `u`. Without that flag, `\p{L}` is the text "p{L}", and `\u{2}` is "uu".
 */
function withoutUnicodeEscapes(source: string): string {
  return source.replaceAll(
    /\\(?:([pP]|u(?=\{))|[^])/g,
    (escape, letter?: string) => letter ?? escape,
  );
}

function ofSchema(schema: object) {
  const text = asJson(schema);
  return {
    fields: { guided_json: text },
    hint: `Answer with JSON that fits this JSON Schema: ${text}`,
    isMetBy: isJson,
  };
}

function asJson(schema: object): string {
  try {
    const text: unknown = JSON.stringify(schema);
    if (typeof text === 'string') return text;
  } catch (error) {
    throw notSupported(`'responseConstraint' cannot be expressed as JSON: ${String(error)}`);
  }
  throw notSupported("'responseConstraint' cannot be expressed as JSON.");
}

/** The messages, with the constraint's hint at the end. */
export function withHint(
  messages: ChatMessage[],
  constraint: Constraint | undefined,
): ChatMessage[] {
  const hint = constraint?.hint;
  if (hint === undefined) return messages;
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: hint }];
  return [...messages.slice(0, -1), { role: 'user', content: `${last.content}\n\n${hint}` }];
}
