import { reasoningMarks, type ReasoningMarks } from '../../../core/catalog/template-features.ts';
import type { RenderChat } from './render-chat.ts';
import type { TokenizerFacts } from './tokenizer-files.ts';
import { templateTools, type TemplateTools } from '../tools/template-tools.ts';
import { textsOf } from '../tools/format/call-format.ts';

/** How a model reads a conversation, and how it marks thoughts and calls in what it writes. */
export interface ChatFormat extends TemplateTools {
  /** The marks that the model thinks between; undefined if it does not think aloud. */
  marks: ReasoningMarks | undefined;
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
  const marks = chatTemplate === undefined ? undefined : reasoningMarks(chatTemplate);
  const stops = [...tokenIds].filter(([, id]) => stopTokenIds.includes(id)).map(([text]) => text);
  const tools = templateTools(render, { thinking: marks, stops });
  return { ...tools, marks, tokenIds, controlTokens };
}

/** Control tokens that answers do not show: their texts, by id. */
export interface HiddenTokens {
  /** In an answer that may have calls. */
  withCalls: ReadonlyMap<number, string>;
  /** In an answer that may have none: the marks of calls are hidden as well. */
  withoutCalls: ReadonlyMap<number, string>;
}

/**
 * The control tokens that are no part of what a model says: all but those that end a turn and the marks that the model
 * itself has to write. Answers do not show them, and a grammar does not let them through as text.
 */
export function hiddenTokens(
  { callFormat, marks }: ChatFormat,
  { controlTokens, tokenIds }: TokenizerFacts,
  stopTokenIds: readonly number[],
): HiddenTokens {
  const { open = '', close = '', around = [] } = marks ?? {};
  const without = (marksOfModel: readonly string[]) => {
    // A mark may consist of several tokens.
    const written = marksOfModel.join(' ');
    const hidden = controlTokens
      .filter((text) => text !== '' && !written.includes(text))
      .map((text): [number, string] => [tokenIds.get(text) ?? -1, text])
      .filter(([id]) => id >= 0 && !stopTokenIds.includes(id));
    return new Map(hidden);
  };
  const thinking = [open, close, ...around];
  return {
    withCalls: without([...thinking, ...textsOf(callFormat)]),
    withoutCalls: without(thinking),
  };
}
