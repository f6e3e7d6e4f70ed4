import { reasoningMarks, type ReasoningMarks } from '../../../core/catalog/template-features.ts';
import type { RenderChat } from './render-chat.ts';
import type { TokenizerFacts } from './tokenizer-files.ts';
import { templateTools, type TemplateTools } from '../tools/template-tools.ts';
import { callMarks } from '../tools/tool-use.ts';

/** How a model reads a conversation, and how it marks thoughts and calls in what it writes. */
export interface ChatFormat extends TemplateTools {
  /** The marks that the model thinks between; undefined if it does not think aloud. */
  marks: ReasoningMarks | undefined;
  /** Token ids by text, of the tokens that were added to the vocabulary. */
  tokenIds: ReadonlyMap<string, number>;
  /** Texts that the tokenizer turns into control tokens. */
  controlTokens: readonly string[];
}

/** @param render - the model's chat template, as a function */
export function chatFormat(
  render: RenderChat,
  { chatTemplate, tokenIds, controlTokens }: TokenizerFacts,
): ChatFormat {
  const marks = chatTemplate === undefined ? undefined : reasoningMarks(chatTemplate);
  return { ...templateTools(render), marks, tokenIds, controlTokens };
}

/**
 * Ids of the control tokens that a grammar must not let through as text: all but those that end a turn
 * and the marks that the model itself has to write.
 */
export function maskedTokenIds(
  { family, marks }: ChatFormat,
  { controlTokens, tokenIds }: TokenizerFacts,
  stopTokenIds: readonly number[],
): number[] {
  const written = [...callMarks(family), ...(marks ? [marks.open, marks.close] : [])];
  return controlTokens
    .filter((text) => !written.includes(text))
    .map((text) => tokenIds.get(text))
    .filter((id) => id !== undefined)
    .filter((id) => !stopTokenIds.includes(id));
}
