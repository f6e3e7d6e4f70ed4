import { EMPTY, oneOf, repeat, sequence, text, type Expression } from '../../ebnf/expression.ts';
import type { RuleMaker } from '../../ebnf/rule-maker.ts';
import { ANY_TEXT, intersect, textsAutomaton } from '../../regular/automaton.ts';
import { automatonRules, type Writing } from '../../regular/automaton-rules.ts';
import { ANY_CHAR, charsOf, difference } from '../../regular/char-set.ts';
import type { Automaton } from '../../regular/state.ts';
import { type Conjunction, countsOf } from '../../schema/schema.ts';
import { languageKey, limited, stringLanguage } from './string-language.ts';

/** Writes texts unchanged. */
export const WRITTEN: Writing = { char: oneOf, end: EMPTY };

/**
 * A string that is written as it is, and the mark after it. It does not contain the mark. If its characters are counted or
 * have a pattern, it does not contain the mark's first character.
 *
 * @throws SchemaError for a pattern or format that cannot be enforced
 */
export function rawString(schemas: Conjunction, mark: string, maker: RuleMaker): Expression {
  return maker.define(`raw ${mark} ${languageKey(schemas)}`, () => {
    const counts = countsOf(schemas, 'minLength', 'maxLength');
    const language = stringLanguage(schemas);
    const stop = mark.trimEnd();
    const others = difference(ANY_CHAR, charsOf(stop.trimStart().slice(0, 1)));
    if (language || counts.max !== undefined) {
      const all = language ?? limited(ANY_TEXT, counts);
      const without: Automaton = [{ accepts: true, edges: [{ set: others, to: 0 }] }];
      return written(intersect(all, without), mark, maker);
    }
    const until = maker.define(`until ${stop}`, () => ({ kind: 'until', mark: stop }));
    const first = repeat(oneOf(difference(others, charsOf('\n'))), counts.min, counts.min);
    return sequence(first, until, text(mark.slice(stop.length)));
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
