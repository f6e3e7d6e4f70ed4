import * as v from 'valibot';

/** Outcomes of a schema. Only `passed` counts as a success. */
export const OUTCOMES = [
  'passed',
  /** The schema was not compiled: an ApiError says why. */
  'refused',
  'refuses a valid value',
  'accepts an invalid value',
  'crashed',
] as const;

export const verdictSchema = v.object({
  file: v.string(),
  outcome: v.picklist(OUTCOMES),
  /** The error's message, or the value that was judged wrongly. */
  detail: v.optional(v.string()),
  /** CPU milliseconds for JSON Schema → EBNF. */
  convertMs: v.optional(v.number()),
  /** CPU milliseconds that XGrammar needs for a vocabulary of single bytes. */
  compileMs: v.optional(v.number()),
  /** Characters of EBNF. */
  size: v.optional(v.number()),
});

export type Verdict = v.InferOutput<typeof verdictSchema>;
export type Outcome = Verdict['outcome'];
