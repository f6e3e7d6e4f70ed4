/**
 * How a family of models writes calls: pieces of text in order, with the family's own white space.
 * The name follows the last piece of `open` or `between` immediately.
 */
export interface CallSyntax {
  /** Before the name of the first call. */
  open: readonly string[];
  /** Between a call's name and its arguments. */
  afterName: readonly string[];
  /** Between a call's arguments and the name of the next call. */
  between: readonly string[];
  /** After the arguments of the last call. */
  close: readonly string[];
  /** `json`: an object; `keywords`: Python's keyword arguments without the brackets. */
  arguments: 'json' | 'keywords';
  /** Whether the first piece of `open` is a mark that never occurs in text. */
  isMarked: boolean;
  /** Whether the family can make several calls in one answer. */
  isParallel: boolean;
}

const NAME = ['{', '"name"', ':', ' ', '"'];
const ARGUMENTS = ['"', ',', ' ', '"arguments"', ':', ' '];
const PARAMETERS = ['"', ',', ' ', '"parameters"', ':', ' '];

/** Hermes, Qwen 2.5 and 3, and all models whose templates know no tools: see general-prompt.ts. */
export const HERMES: CallSyntax = {
  open: ['<tool_call>', '\n', ...NAME],
  afterName: ARGUMENTS,
  between: ['}', '\n', '</tool_call>', '\n', '<tool_call>', '\n', ...NAME],
  close: ['}', '\n', '</tool_call>'],
  arguments: 'json',
  isMarked: true,
  isParallel: true,
};

const LLAMA_JSON: CallSyntax = {
  open: NAME,
  afterName: PARAMETERS,
  between: ['}', ';', ' ', ...NAME],
  close: ['}'],
  arguments: 'json',
  isMarked: false,
  // Llama's template accepts only one call per message.
  isParallel: false,
};

const LLAMA_PYTHON: CallSyntax = {
  open: ['['],
  afterName: ['('],
  between: [')', ',', ' '],
  close: [')', ']'],
  arguments: 'keywords',
  isMarked: false,
  isParallel: true,
};

const MISTRAL_LIST: CallSyntax = {
  open: ['[TOOL_CALLS]', ' ', '[', ...NAME],
  afterName: ARGUMENTS,
  between: ['}', ',', ' ', ...NAME],
  close: ['}', ']'],
  arguments: 'json',
  isMarked: true,
  isParallel: true,
};

const MISTRAL_ARGS: CallSyntax = {
  open: ['[TOOL_CALLS]'],
  afterName: ['[ARGS]'],
  between: ['[TOOL_CALLS]'],
  close: [],
  arguments: 'json',
  isMarked: true,
  isParallel: true,
};

/** The ways in which a family's models write calls; a grammar uses the first. */
export type CallFamily = readonly [CallSyntax, ...CallSyntax[]];

export const CALL_FAMILIES = {
  hermes: [HERMES],
  mistralArgs: [MISTRAL_ARGS],
  mistral: [MISTRAL_LIST, MISTRAL_ARGS],
  llamaPython: [
    LLAMA_PYTHON,
    { ...LLAMA_PYTHON, open: ['<|python_start|>', '['], close: [')', ']', '<|python_end|>'] },
  ],
  llama: [
    LLAMA_JSON,
    { ...LLAMA_JSON, afterName: ARGUMENTS },
    { ...LLAMA_JSON, open: ['<|python_tag|>', ...NAME], isMarked: true },
    { ...LLAMA_JSON, open: ['<|python_tag|>', ...NAME], afterName: ARGUMENTS, isMarked: true },
  ],
} satisfies Record<string, CallFamily>;
