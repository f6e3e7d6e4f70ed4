/** The marks before and after a thought. */
export interface ThoughtMarks {
  open: string;
  close: string;
}

/** The marks of an answer's text. */
export interface AnswerMarks {
  /** What a model writes before the text; empty: nothing. */
  begin: string;
  /** Marks that are no part of the text, wherever they stand in it. */
  around: readonly string[];
}

/** A variable of a chat template that turns thinking on and off. */
export interface ThinkingSwitch {
  name: string;
  on: unknown;
  off: unknown;
}

/** How a model thinks: what is read from its chat template. */
export interface ThinkingFormat {
  marks: ThoughtMarks;
  /** The marks with the white space that belongs to them. */
  written: ThoughtMarks;
  /** Whether the model thinks if a request says nothing about it. */
  byDefault: 'on' | 'off' | 'choice';
  /** Undefined: nothing turns thinking on or off. */
  toggle: ThinkingSwitch | undefined;
  /**
   * The variable that says how much to think, and the values that it takes, the least first; none: any word. Undefined: there is
   * no such variable.
   */
  effort: { name: string; values: readonly string[] } | undefined;
  /** Whether the variable `thinking_budget`, in tokens, is taken. */
  takesBudget: boolean;
}
