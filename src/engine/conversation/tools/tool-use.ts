import type { GenerateJob, Sampling } from '../../../core/operations/jobs/jobs.ts';
import { formatGrammar } from '../constraint/answer-grammar.ts';
import { callableTools, callGrammar, literal, prefixed } from './call-grammar.ts';
import { CallParser } from './call-parser.ts';
import { markOf, type CallFormat } from './format/call-format.ts';

/** The lowest bias that the API allows: the token is never sampled. */
const NEVER_SAMPLED = -100;

/** How a job's tools change the way it runs. */
export interface ToolUse {
  /** The grammar of the answer; undefined: free text. */
  grammar: string | undefined;
  sampling: Sampling;
  /** Makes a parser for an answer; undefined: everything is text. */
  newParser: (() => CallParser) | undefined;
}

/**
 * @param tokenIds - ids of the tokens that were added to the vocabulary, by text
 * @param answerMark - the mark before an answer's text. It is empty if models write no mark
 * @throws ApiError 400 invalid_json_schema if a schema cannot be enforced; checkSchemas throws the same earlier
 */
export function toolUse(
  { tools: offer, format, sampling, prompt }: GenerateJob,
  callFormat: CallFormat,
  tokenIds: ReadonlyMap<string, number>,
  answerMark = '',
): ToolUse {
  const text = formatGrammar(format);
  const grammar = prompt.kind === 'chat' ? afterMark(text, answerMark) : text;
  if (!offer) return { grammar, sampling, newParser: undefined };
  if (offer.choice === 'none') {
    const mute = withoutMark(sampling, callFormat, tokenIds);
    return { grammar, sampling: mute, newParser: undefined };
  }
  return {
    grammar: callGrammar(offer, callFormat, grammar),
    sampling,
    newParser: () => new CallParser(callFormat, callableTools(offer)),
  };
}

function afterMark(grammar: string | undefined, mark: string): string | undefined {
  if (grammar === undefined || mark === '') return grammar;
  return `root ::= ${literal(mark)} text_root\n${prefixed(grammar, 'text_')}`;
}

/**
 * The history may show the model how to write calls. If their mark is a token, a bias keeps the
 * model from beginning one.
 */
function withoutMark(
  sampling: Sampling,
  callFormat: CallFormat,
  tokenIds: ReadonlyMap<string, number>,
): Sampling {
  const id = tokenIds.get(markOf(callFormat) ?? '');
  if (id === undefined) return sampling;
  return { ...sampling, logitBias: { ...sampling.logitBias, [id]: NEVER_SAMPLED } };
}
