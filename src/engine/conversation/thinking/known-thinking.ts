import type { AnswerMarks, ThoughtMarks } from './thinking-format.ts';

/** Marks that cannot be read from the templates of a family of models. */
interface KnownThinking {
  /** In the source of every template of the family. */
  sign: string;
  marks: ThoughtMarks;
  answer: AnswerMarks;
}

/**
 * The marks that templates do not show, each with its reason.
 *
 * - Apertus: its template writes only thoughts that a client has put into blocks, and shows no end of them.
 * - Apriel: its marks are words, and the template cuts thoughts off.
 * - Granite 3.3: it tells the model its marks in words. The template cuts thoughts off.
 * - Kimi K3: its marks are several tokens that other parts of a message begin with as well.
 * - gpt-oss: its template has no place for a text beside a thought. Models write channels as the harmony format has them.
 */
export const KNOWN_THINKING: readonly KnownThinking[] = [
  {
    sign: '<|inner_prefix|>',
    marks: { open: '<|inner_prefix|>', close: '<|inner_suffix|>' },
    answer: { begin: '', around: [] },
  },
  {
    sign: '[BEGIN FINAL RESPONSE]',
    marks: { open: 'Here are my reasoning steps:\n', close: '\n[BEGIN FINAL RESPONSE]\n' },
    answer: { begin: '', around: ['[END FINAL RESPONSE]'] },
  },
  {
    sign: 'Write your thoughts between <think></think>',
    marks: { open: '<think>', close: '</think>' },
    answer: { begin: '', around: ['<response>', '</response>'] },
  },
  {
    sign: "open_tag('think')",
    marks: { open: '<|open|>think<|sep|>', close: '<|close|>think<|sep|>' },
    answer: {
      begin: '<|open|>response<|sep|>',
      around: ['<|open|>response<|sep|>', '<|close|>response<|sep|>', '<|close|>message<|sep|>'],
    },
  },
  {
    sign: '<|channel|>analysis<|message|>',
    marks: { open: '<|channel|>analysis<|message|>', close: '<|end|><|start|>assistant' },
    answer: {
      begin: '<|channel|>final<|message|>',
      around: ['<|channel|>final<|message|>', '<|channel|>commentary<|message|>'],
    },
  },
];
