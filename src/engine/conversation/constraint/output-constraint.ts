import type { ThoughtMarks } from '../thinking/thinking-format.ts';

/** What a model's output has to match, in XGrammar's terms: a grammar or a structural tag. */
export type OutputConstraint =
  | { type: 'grammar'; grammar: string }
  | { type: 'structural_tag'; structural_tag: { type: 'structural_tag'; format: Format } };

/** Thrown if XGrammar cannot compile a constraint. The message says why. */
export class ConstraintError extends Error {}

/** How a model thinks aloud. */
export interface Thinking {
  marks: ThoughtMarks;
  /** Whether the prompt ends with the opening mark. */
  opened: boolean;
}

/** The structural tags of XGrammar that are used here. */
type Format =
  | { type: 'grammar'; grammar: string }
  | { type: 'regex'; pattern: string }
  | { type: 'any_text' }
  | { type: 'tag'; begin: string; content: Format; end: string }
  | { type: 'sequence' | 'or'; elements: Format[] };

/**
 * Constrains an answer to a grammar. A model that thinks aloud may think first: the grammar does not
 * apply to its thoughts.
 *
 * @param grammar - EBNF with the rule `root`
 * @param thinking - undefined if the model does not think aloud
 */
export function outputConstraint(grammar: string, thinking?: Thinking): OutputConstraint {
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
