import { jsonChar, PLAIN } from '../../ebnf/characters.ts';
import {
  choice,
  NEVER,
  oneOf,
  sequence,
  text,
  type Expression,
  type RuleReference,
} from '../../ebnf/expression.ts';
import { CHARS, ESCAPE } from '../../ebnf/json-rules.ts';
import {
  characterBefore,
  countedCharacters,
  FAR_REACH,
  REACH,
} from '../../ebnf/counted-characters.ts';
import { exactly } from '../../ebnf/repetition.ts';
import type { RuleMaker } from '../../ebnf/rule-maker.ts';
import type { Automaton } from '../../regular/state.ts';
import { automatonRules, type Writing } from '../../regular/automaton-rules.ts';
import { type Conjunction, countsOf, type Counts } from '../../schema/schema.ts';
import { languageKey, stringLanguage } from './string-language.ts';

const QUOTE = text('"');

/** Writes the texts of an automaton as the rest of a JSON string, after its opening quote. */
const IN_STRING: Writing = { char: jsonChar, end: QUOTE, anything: CHARS };

/** @throws SchemaError for a pattern or format that cannot be enforced */
export function stringExpression(schemas: Conjunction, maker: RuleMaker): Expression {
  return maker.define(`string ${languageKey(schemas)}`, () => {
    const automaton = stringLanguage(schemas);
    if (automaton) return automatonString(automaton, maker);
    const { min, max } = countsOf(schemas, 'minLength', 'maxLength');
    if (max !== undefined && min > max) return NEVER;
    return sequence(QUOTE, new FreeText(maker).body({ min, max }));
  });
}

/** A JSON string of the texts of an automaton. */
export function automatonString(automaton: Automaton, maker: RuleMaker): Expression {
  const rest = automatonRules(automaton, maker.newName(), maker, IN_STRING);
  return sequence(QUOTE, rest);
}

/** Texts with a larger limit have shorter tokens near it: that takes half the time to compile. */
const SHORT = 24;
const LONG_REACH = 3;

/** Any text of a certain length. Only the characters within reach of the end have rules of their own. */
class FreeText {
  readonly #maker: RuleMaker;

  constructor(maker: RuleMaker) {
    this.#maker = maker;
  }

  /** The rest of a string that has `min` to `max` more characters. */
  body({ min, max }: Counts): Expression {
    if (max === undefined) return sequence(this.#exactly(min), CHARS);
    const reach = max > SHORT ? LONG_REACH : REACH;
    if (max <= reach) return this.#counted({ min, max });
    const count = max - reach;
    const repeated = {
      min: Math.min(min, count),
      max: count,
      next: this.#counted({ min: Math.max(0, min - count), max: reach }),
      exit: this.#counted({ min: 0, max: reach }),
    };
    return countedCharacters(this.#maker, ANY, repeated, [FAR_REACH, reach]);
  }

  /** `count` characters, after which any number of characters can follow. */
  #exactly(count: number): Expression {
    const item = characterBefore(this.#maker, ANY, FAR_REACH);
    return exactly(this.#maker, item.name, item, count);
  }

  /** One rule for each number of characters that are left. */
  #counted({ min, max }: Required<Counts> & { max: number }): RuleReference {
    return this.#maker.define(`characters: ${min} to ${max}`, () => {
      const end = min === 0 ? QUOTE : NEVER;
      if (max === 0) return end;
      const rest = this.#counted({ min: Math.max(0, min - 1), max: max - 1 });
      return choice(...CHARACTER.map((one) => sequence(one, rest)), end);
    });
  }
}

/** Any character of a JSON string, in any way that JSON can write it. */
const CHARACTER = [oneOf(PLAIN), sequence(text('\\'), ESCAPE)];
const ANY = { char: choice(...CHARACTER), key: 'any character' };
