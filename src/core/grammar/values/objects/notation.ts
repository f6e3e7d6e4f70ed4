import { sequence, text, type Expression, COMMA } from '../../ebnf/expression.ts';
import type { RuleMaker } from '../../ebnf/rule-maker.ts';
import { intersect } from '../../regular/automaton.ts';
import { automatonRules } from '../../regular/automaton-rules.ts';
import { patternAutomaton } from '../../regular/pattern-automaton.ts';
import { WRITTEN } from '../strings/raw-strings.ts';
import type { ObjectForm } from './object-form.ts';

/** Types of JSON that a notation tells apart. */
export const VALUE_TYPES = ['string', 'number', 'boolean', 'null', 'array', 'object'] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** How the members of an object are written if not as JSON, e.g. `<parameter=city>Bern</parameter>` or `city="Bern"`. */
export interface Notation {
  /** Before a member's name. */
  name: string;
  /** Before and after a value. The first one also ends the member's name. */
  marks: Record<ValueType, { before: string; after: string }>;
  separator: string;
  /** `raw`: strings are written as they are, up to the mark after them. `quoted`: as in JSON. */
  strings: 'raw' | 'quoted';
  /** Whether the mark after a value goes on as that before the value does, with the member's name: `<city>Bern</city>`. */
  closes?: boolean;
  /**
   * How arrays and objects in values are written. `bare`: objects have names without quotes, and their strings have the
   * mark after strings around them. With an `item`, they have members as well, and those of arrays have that name.
   */
  nested: 'json' | 'bare' | { item: string };
  /** How true, false and null are written. */
  words: { true: string; false: string; null: string };
}

const NAME = /^[A-Za-z_][\w.-]*$/;
const NAMES = patternAutomaton('^[A-Za-z_][A-Za-z0-9_.-]*$');

/** A member's name, and what stands before it. */
export function writtenName({ name: before, strings }: Notation, name: string): string {
  return before + (strings === 'raw' || NAME.test(name) ? name : JSON.stringify(name));
}

/** The name that closes a member whose name is not declared. */
export function anyName(maker: RuleMaker): Expression {
  return maker.define('any name', () => automatonRules(NAMES, maker.newName(), maker, WRITTEN));
}

/** The members of an object in a notation. The marks beside values belong to the values. */
export function notedMembers(notation: Notation): ObjectForm {
  const { name: before, separator } = notation;
  return {
    ...BARE,
    open: '',
    close: '',
    comma: separator === ', ' ? COMMA : text(separator),
    key: (name) => text(writtenName(notation, name)),
    otherKey: (names, maker) => sequence(text(before), BARE.otherKey(names, maker)),
  };
}

/** Objects whose names have no quotes. */
const BARE: ObjectForm = {
  open: '{',
  close: '}',
  comma: COMMA,
  key: (name) => text(name),
  otherKey: (names, maker): Expression =>
    automatonRules(intersect(names, NAMES), maker.newName(), maker, WRITTEN),
};

/** Objects in the values of a notation. */
export const BARE_OBJECT: ObjectForm = {
  ...BARE,
  key: (name) => text(`${name}:`),
  otherKey: (names, maker) => sequence(BARE.otherKey(names, maker), text(':')),
};
