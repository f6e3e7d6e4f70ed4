/** The marks before and after a model's thinking. */
export interface ReasoningMarks {
  open: string;
  close: string;
}

/** Marks by family of models. A template uses the first pair that it contains. */
const FAMILIES: readonly ReasoningMarks[] = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
];

/** The marks that a chat template uses; undefined: its model does not write down its thinking. */
export function reasoningMarks(template: string): ReasoningMarks | undefined {
  return FAMILIES.find(({ close }) => template.includes(close));
}

/** What a chat template reveals about its model, as the API's `supported_features` names it. */
export function templateFeatures(template: string | undefined): string[] {
  return template !== undefined && reasoningMarks(template) ? ['reasoning'] : [];
}
