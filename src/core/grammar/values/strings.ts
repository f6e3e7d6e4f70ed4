import { jsonChar, PLAIN } from '../ebnf/characters.ts';
import {
  choice,
  NEVER,
  oneOf,
  sequence,
  text,
  type Expression,
  type RuleReference,
} from '../ebnf/expression.ts';
import { CHARS, ESCAPE } from '../ebnf/json-rules.ts';
import { exactly, upTo } from '../ebnf/repetition.ts';
import type { RuleMaker } from '../ebnf/rule-maker.ts';
import type { Automaton } from '../regular/state.ts';
import { automatonRules, REACH, type Writing } from '../regular/automaton-rules.ts';
import { countsOf, type Counts } from '../schema/counts.ts';
import type { Conjunction } from '../schema/schema.ts';
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

/** Any text of a certain length. Only the characters within reach of the end have rules of their own. */
class FreeText {
  readonly #maker: RuleMaker;

  constructor(maker: RuleMaker) {
    this.#maker = maker;
  }

  /** The rest of a string in which so many characters are left. */
  body(left: Counts): Expression {
    const { min, max } = left;
    if (max === undefined) return this.#atLeast(min);
    if (max <= REACH) return this.#counted(left);
    const far = max - REACH;
    if (min >= far) return this.#exactly(far, this.#counted({ min: min - far, max: REACH }));
    const near = this.#counted({ min: 0, max: REACH });
    const char = this.#char(near);
    const key = `character before ${near.name}`;
    return sequence(
      exactly(this.#maker, key, char, min),
      choice(
        sequence(exactly(this.#maker, key, char, far - min), near),
        sequence(upTo(this.#maker, key, char, far - min - 1), QUOTE),
      ),
    );
  }

  #atLeast(min: number): Expression {
    if (min <= REACH) return this.#counted({ min, max: undefined });
    return this.#exactly(min - REACH, this.#counted({ min: REACH, max: undefined }));
  }

  #exactly(count: number, next: RuleReference): Expression {
    const key = `character before ${next.name}`;
    return sequence(exactly(this.#maker, key, this.#char(next), count), next);
  }

  #char(next: RuleReference): Expression {
    return this.#maker.followed('any character', () => choice(...CHARACTER), next);
  }

  /** One rule for each number of characters that are left. */
  #counted({ min, max }: Counts): RuleReference {
    if (min === 0 && max === undefined) return CHARS;
    return this.#maker.define(`characters: ${min} to ${max}`, () => {
      const end = min === 0 ? QUOTE : NEVER;
      if (max === 0) return end;
      const rest = this.#counted({ min: Math.max(0, min - 1), max: max && max - 1 });
      return choice(...CHARACTER.map((one) => sequence(one, rest)), end);
    });
  }
}

/** Any character of a JSON string, in any way that JSON can write it. */
const CHARACTER = [oneOf(PLAIN), sequence(text('\\'), ESCAPE)];
