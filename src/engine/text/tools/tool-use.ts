import type { GenerateJob, Sampling, Tool, ToolOffer } from '../../../core/protocol/jobs.ts';
import { formatGrammar } from '../answer-grammar.ts';
import { callGrammar } from './call-grammar.ts';
import { CallParser } from './call-parser.ts';
import type { CallFamily } from './call-syntax.ts';

/** The least that the API lets a token be liked: it is not sampled. */
const NEVER_SAMPLED = -100;

/** What the tools of a job change in how it is run. */
export interface ToolUse {
  /** For the prompt. A model that may not call is not told of the tools. */
  tools: readonly Tool[] | undefined;
  /** What the answer is held to; undefined: free text. */
  grammar: string | undefined;
  sampling: Sampling;
  /** Makes what reads an answer; undefined: it is all text. */
  newParser: (() => CallParser) | undefined;
}

/**
 * @param tokenIds - of tokens that were added to the vocabulary, by text
 * @throws ApiError 400 invalid_json_schema if a schema cannot be enforced; checkSchemas does so earlier
 */
export function toolUse(
  { tools: offer, format, sampling }: GenerateJob,
  family: CallFamily,
  tokenIds: ReadonlyMap<string, number>,
): ToolUse {
  const grammar = formatGrammar(format);
  if (!offer) return { tools: undefined, grammar, sampling, newParser: undefined };
  if (offer.choice === 'none') {
    const mute = withoutMark(sampling, family, tokenIds);
    return { tools: undefined, grammar, sampling: mute, newParser: undefined };
  }
  return {
    tools: offer.tools,
    grammar: callGrammar(offer, family[0], grammar),
    sampling,
    newParser: () => new CallParser(family, callableNames(offer)),
  };
}

/** All that a family's models are to write calls with: control tokens may be among it. */
export function callMarks([{ open, afterName, between, close }]: CallFamily): string[] {
  return [...open, ...afterName, ...between, ...close];
}

function callableNames({ tools, choice }: ToolOffer): string[] {
  return typeof choice === 'object' ? [choice.name] : tools.map(({ name }) => name);
}

/** The history may show the model how calls are written: where their mark is a token, it cannot begin one. */
function withoutMark(
  sampling: Sampling,
  [{ open, isMarked }]: CallFamily,
  tokenIds: ReadonlyMap<string, number>,
): Sampling {
  const id = isMarked ? tokenIds.get(open[0] ?? '') : undefined;
  if (id === undefined) return sampling;
  return { ...sampling, logitBias: { ...sampling.logitBias, [id]: NEVER_SAMPLED } };
}
