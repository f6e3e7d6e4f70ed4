import type { GrammarMatcher } from '../grammar-masks.ts';
import type { Llama } from '../llama.ts';
import type { DraftSource } from './draft-source.ts';
import { ForcedTokens } from './forced-tokens.ts';
import { RepeatedMarks } from './repeated-marks.ts';
import { RepeatedText } from './repeated-text.ts';

/**
 * Everything that tells what an answer probably continues with. The prediction is first: clients read how much of it was right.
 *
 * @param matcher - the answer's place in its grammar; undefined: it has none
 * @param prediction - what the client thinks that the answer will be; undefined: it did not say
 */
export function draftSources(
  llama: Pick<Llama, 'tokenize' | 'bytes'>,
  matcher: Pick<GrammarMatcher, 'forced'> | undefined,
  prediction: string | undefined,
): DraftSource[] {
  return [
    ...(prediction === undefined ? [] : [new RepeatedText(llama.tokenize(prediction))]),
    ...(matcher ? [new ForcedTokens(llama, matcher)] : []),
    new RepeatedText(),
    ...(matcher ? [new RepeatedMarks(llama)] : []),
  ];
}
