/** The marks that a family of models thinks between. */
export interface ReasoningMarks {
  open: string;
  close: string;
}

/** Families whose chat templates name their marks; the first that a template contains is its own. */
const FAMILIES: readonly ReasoningMarks[] = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
];

/** Marks of the model that a chat template belongs to; undefined: it does not think aloud. */
export function reasoningMarks(template: string): ReasoningMarks | undefined {
  return FAMILIES.find(({ close }) => template.includes(close));
}

/** What a chat template tells of its model, as the API's `supported_features` names it. */
export function templateFeatures(template: string | undefined): string[] {
  return template !== undefined && reasoningMarks(template) ? ['reasoning'] : [];
}
