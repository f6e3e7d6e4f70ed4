import type { RenderChat } from './render-chat.ts';
import type { TokenizerFacts } from './tokenizer-files.ts';
import { templateTools, type TemplateTools } from '../tools/template-tools.ts';
import { textsOf } from '../tools/format/call-format.ts';
import { readThinking, type AnswerParts } from '../thinking/read-thinking.ts';

/** How a model reads a conversation, and how it marks thoughts and calls in what it writes. */
export interface ChatFormat extends TemplateTools, AnswerParts {
  /** Token ids by text, of the tokens that were added to the vocabulary. */
  tokenIds: ReadonlyMap<string, number>;
  /** Texts that the tokenizer turns into control tokens. */
  controlTokens: readonly string[];
}

/**
 * @param render - the model's chat template, as a function
 * @param stopTokenIds - of the tokens that end a turn
 */
export function chatFormat(
  render: RenderChat,
  { chatTemplate, tokenIds, controlTokens }: TokenizerFacts,
  stopTokenIds: readonly number[],
): ChatFormat {
  const parts = readThinking(render, chatTemplate ?? '');
  const stops = [...tokenIds].filter(([, id]) => stopTokenIds.includes(id)).map(([text]) => text);
  const tools = templateTools(render, { parts, stops });
  return { ...tools, ...parts, tokenIds, controlTokens };
}

/** Control tokens that answers do not show: their texts, by id. */
export interface HiddenTokens {
  /** In an answer that may have calls. */
  withCalls: ReadonlyMap<number, string>;
  /** In an answer that may have none: the marks of calls are hidden as well. */
  withoutCalls: ReadonlyMap<number, string>;
  /** Texts of those that are shown, because they are parts of marks. */
  inMarks: readonly string[];
}

/**
 * The control tokens that are no part of what a model says: all but those that end a turn and the marks that the model
 * itself has to write. Answers do not show them, and a grammar does not let them through as text.
 */
export function hiddenTokens(
  { callFormat, thinking, answer }: ChatFormat,
  { controlTokens, tokenIds }: TokenizerFacts,
  stopTokenIds: readonly number[],
): HiddenTokens {
  const { open = '', close = '' } = thinking?.marks ?? {};
  const without = (marksOfModel: readonly string[]) => {
    // A mark may consist of several tokens.
    const written = marksOfModel.join(' ');
    const hidden = controlTokens
      .filter((text) => text !== '' && !written.includes(text))
      .map((text): [number, string] => [tokenIds.get(text) ?? -1, text])
      .filter(([id]) => id >= 0 && !stopTokenIds.includes(id));
    return new Map(hidden);
  };
  const parts = [open, close, answer.begin, ...answer.around];
  const withCalls = without([...parts, ...textsOf(callFormat)]);
  const isInMark = (text: string) => {
    const id = tokenIds.get(text);
    return id !== undefined && !withCalls.has(id) && !stopTokenIds.includes(id);
  };
  return { withCalls, withoutCalls: without(parts), inMarks: controlTokens.filter(isInMark) };
}
