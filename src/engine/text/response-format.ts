import type { ReasoningMarks } from '../../core/stores/template-features.ts';

/** What constrains a model's output, in WebLLM's terms. */
export type ResponseFormat =
  | { type: 'grammar'; grammar: string }
  | { type: 'structural_tag'; structural_tag: { type: 'structural_tag'; format: Format } };

/** The structural tags of xgrammar that are used here. */
type Format =
  | { type: 'grammar'; grammar: string }
  | { type: 'regex'; pattern: string }
  | { type: 'any_text' }
  | { type: 'tag'; begin: string; content: Format; end: string }
  | { type: 'sequence' | 'or'; elements: Format[] };

/**
 * Holds an answer to a grammar. A model that thinks aloud may do so first: its thoughts are no part of
 * the answer.
 *
 * @param thinking - undefined where nothing is thought aloud; `opened` where the prompt began it
 */
export function responseFormat(
  grammar: string,
  thinking?: { marks: ReasoningMarks; opened: boolean },
): ResponseFormat {
  if (!thinking) return { type: 'grammar', grammar };
  const { marks, opened } = thinking;
  const answer: Format = { type: 'grammar', grammar };
  const thought: Format = {
    type: 'sequence',
    elements: [
      {
        type: 'tag',
        begin: opened ? '' : marks.open,
        content: { type: 'any_text' },
        end: marks.close,
      },
      { type: 'regex', pattern: '\\n{0,2}' },
      answer,
    ],
  };
  const format: Format = opened ? thought : { type: 'or', elements: [thought, answer] };
  return { type: 'structural_tag', structural_tag: { type: 'structural_tag', format } };
}
