import { EMPTY, oneOf, sequence, text, type Expression } from '../../ebnf/expression.ts';
import type { RuleMaker } from '../../ebnf/rule-maker.ts';
import { ANY_TEXT, intersect, lengthAutomaton, textsAutomaton } from '../../regular/automaton.ts';
import { automatonRules, type Writing } from '../../regular/automaton-rules.ts';
import { ANY_CHAR, charsOf, difference } from '../../regular/char-set.ts';
import { untilAutomaton } from '../../regular/until-automaton.ts';
import type { Automaton } from '../../regular/state.ts';
import { countsOf, type Counts } from '../../schema/counts.ts';
import type { Conjunction } from '../../schema/schema.ts';
import { languageKey, limited, stringLanguage } from './string-language.ts';

/** Writes texts unchanged. */
export const WRITTEN: Writing = { char: oneOf, end: EMPTY };

/** Characters. Texts with a larger limit leave out the first character of their mark, which needs fewer states. */
const MOST_COUNTED = 40;

/**
 * A string that is written as it is, and the mark after it. It does not contain the mark.
 *
 * @throws SchemaError for a pattern or format that cannot be enforced
 */
export function rawString(schemas: Conjunction, mark: string, maker: RuleMaker): Expression {
  return maker.define(`raw ${mark} ${languageKey(schemas)}`, () => {
    const counts = countsOf(schemas, 'minLength', 'maxLength');
    const language = stringLanguage(schemas);
    const stop = mark.trimEnd();
    if (!language && Math.max(counts.min, counts.max ?? 0) <= MOST_COUNTED) {
      const until = counted(untilAutomaton(stop), counts, stop.length);
      const rest = automatonRules(until, maker.newName(), maker, WRITTEN);
      return sequence(rest, text(mark.slice(stop.length)));
    }
    const all = language ?? limited(ANY_TEXT, counts);
    return written(intersect(all, without(stop.trimStart().slice(0, 1))), mark, maker);
  });
}

/** One of these texts as it is, and the mark after it. */
export function rawTexts(texts: readonly string[], mark: string, maker: RuleMaker): Expression {
  return maker.define(`raw ${mark} ${JSON.stringify(texts)}`, () =>
    written(textsAutomaton(texts), mark, maker),
  );
}

function written(automaton: Automaton, mark: string, maker: RuleMaker): Expression {
  return automatonRules(automaton, maker.newName(), maker, { char: oneOf, end: text(mark) });
}

/** @param more - characters that do not count */
function counted(automaton: Automaton, { min, max }: Counts, more: number): Automaton {
  if (min === 0 && max === undefined) return automaton;
  return intersect(automaton, lengthAutomaton(min + more, max === undefined ? max : max + more));
}

function without(char: string): Automaton {
  return [{ accepts: true, edges: [{ set: difference(ANY_CHAR, charsOf(char)), to: 0 }] }];
}
