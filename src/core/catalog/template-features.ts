/** The marks before and after a model's thinking. */
export interface ReasoningMarks {
  open: string;
  close: string;
  /** Marks around the answer itself, which are no part of it; undefined: there are none. */
  around?: readonly string[];
  /** The mark that a model writes before an answer's text. Undefined: it writes none. */
  answer?: string;
}

/** How a family of models thinks. A template is the family's if it contains `sign`, or else `close`. */
interface Family extends ReasoningMarks {
  sign?: string;
}

/** The first family that fits counts. */
const FAMILIES: readonly Family[] = [
  { open: '<think>', close: '</think>' },
  { open: '[THINK]', close: '[/THINK]' },
  { open: '<seed:think>', close: '</seed:think>' },
  { open: '<mm:think>', close: '</mm:think>' },
  // Gemma 4.
  { open: '<|channel>thought', close: '<channel|>' },
  // Apertus.
  { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
  // Command R and Command A.
  {
    open: '<|START_THINKING|>',
    close: '<|END_THINKING|>',
    around: ['<|START_RESPONSE|>', '<|END_RESPONSE|>', '<|START_TEXT|>', '<|END_TEXT|>'],
  },
  // Apriel.
  {
    open: 'Here are my reasoning steps:',
    close: '[BEGIN FINAL RESPONSE]',
    around: ['[END FINAL RESPONSE]'],
  },
  // Kimi K3.
  {
    sign: "open_tag('think')",
    open: '<|open|>think<|sep|>',
    close: '<|close|>think<|sep|>',
    around: ['<|open|>response<|sep|>', '<|close|>response<|sep|>', '<|close|>message<|sep|>'],
  },
  // Harmony, gpt-oss: thoughts, calls and the answer are messages of their own. A text before calls is one as well.
  {
    sign: '<|channel|>analysis<|message|>',
    open: '<|channel|>analysis<|message|>',
    close: '<|end|><|start|>assistant',
    around: ['<|channel|>final<|message|>', '<|channel|>commentary<|message|>'],
    answer: '<|channel|>final<|message|>',
  },
];

/** The marks that a chat template uses; undefined: its model does not write down its thinking. */
export function reasoningMarks(template: string): ReasoningMarks | undefined {
  const family = FAMILIES.find(({ sign, close }) => template.includes(sign ?? close));
  if (!family) return undefined;
  const { sign: _, ...marks } = family;
  return marks;
}

/** What a chat template reveals about its model, as the API's `supported_features` names it. */
export function templateFeatures(template: string | undefined): string[] {
  return template !== undefined && reasoningMarks(template) ? ['reasoning'] : [];
}
