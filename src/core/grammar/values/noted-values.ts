import {
  choice,
  EMPTY,
  optional,
  repeat,
  rule,
  sequence,
  text,
  type Expression,
  COMMA,
} from '../ebnf/expression.ts';
import type { RuleMaker } from '../ebnf/rule-maker.ts';
import { ANY_TEXT } from '../regular/automaton.ts';
import type { Branches } from '../schema/branches.ts';
import { SchemaError } from '../schema/schema-error.ts';
import { isExcluded, type Conjunction, type Located } from '../schema/schema.ts';
import { typeOf, typesOf, type JsonType } from '../schema/types.ts';
import { arrayExpression } from './arrays/arrays.ts';
import type { ArrayForm } from './arrays/elements.ts';
import { enumeratedValues, finiteValues } from './enumerated.ts';
import {
  anyName,
  BARE_OBJECT,
  notedMembers,
  VALUE_TYPES,
  type Notation,
  type ValueType,
} from './objects/notation.ts';
import type { ObjectForm } from './objects/object-form.ts';
import { quoteOf, valueType, writtenMember, writtenValue } from './objects/written.ts';
import { rawString, rawTexts } from './strings/raw-strings.ts';

/** What the values of a notation need from the compiler. */
interface NotedTools {
  maker: RuleMaker;
  branches: Branches;
  /** A value as JSON. */
  json: (schemas: Located[]) => Expression;
  /** A value of one type as JSON. */
  typed: (type: JsonType, schemas: Conjunction) => Expression;
  object: (
    schemas: Conjunction,
    form: ObjectForm,
    value: (schemas: Located[], name?: string) => Expression,
  ) => Expression;
}

/** The members of an object in a notation, and their values. */
export class NotedValues {
  readonly #notation: Notation;
  readonly #tools: NotedTools;

  constructor(notation: Notation, tools: NotedTools) {
    this.#notation = notation;
    this.#tools = tools;
  }

  /** All members of the object that this schema describes. */
  members(root: Located): Expression {
    const { branches, maker, object } = this.#tools;
    const form = notedMembers(this.#notation);
    const all = branches.of([root]).map((branch, index) =>
      maker.define(`members ${index}`, () => {
        if (enumeratedValues(branch, branches)) {
          const at = branch.find(({ schema }) => schema['enum'] ?? schema['const']);
          const keyword = at?.schema['enum'] === undefined ? 'const' : 'enum';
          throw new SchemaError(`${at?.path ?? ''}.${keyword}`, 'lists whole objects.');
        }
        return object(branch, form, (below, name) => this.#marked(below, name));
      }),
    );
    return choice(...all);
  }

  /**
   * A member's value with the marks beside it.
   *
   * @param name - of the member, if it is declared
   */
  #marked(schemas: readonly Located[], name?: string): Expression {
    const closed = this.#notation.closes === true ? name : undefined;
    const kind = closed === undefined ? 'marked' : `marked in ${JSON.stringify(closed)}`;
    return this.#value(kind, schemas, (branch) => this.#markedBranch(branch, kind, closed));
  }

  #value(
    kind: string,
    schemas: readonly Located[],
    write: (branch: Conjunction) => Expression,
  ): Expression {
    const { maker, branches } = this.#tools;
    const constraining = schemas.filter(({ schema }) => schema !== true);
    const key = [...new Set(constraining.map(({ path }) => path))].sort().join('\n');
    return maker.define(`${kind} ${key}`, () => {
      if (constraining.length === 0) return write([]);
      const all = branches.of(constraining);
      return choice(
        ...all.map((branch) =>
          maker.define(`${kind} branch ${keyOf(branch)}`, () => write(branch)),
        ),
      );
    });
  }

  #markedBranch(schemas: Conjunction, kind: string, name: string | undefined): Expression {
    const { marks, strings } = this.#notation;
    const listed = this.#listed(schemas);
    const types = typesIn(schemas, listed);
    // Any value is a text as well if it has the same marks.
    const isFree = strings === 'raw' && types.includes('string') && !listed;
    const isText = (type: ValueType) =>
      sameMarks(marks[type], marks.string) && !this.#hasMembers(type);
    const told = isFree ? types.filter((type) => type === 'string' || !isText(type)) : types;
    const ended = (type: ValueType) =>
      this.#rule(`${kind} ${type}`, schemas, () => this.#ended(type, schemas, listed, name));
    const beginnings = [...new Set(told.map((type) => marks[type].before))];
    return choice(
      ...beginnings.map((before) => {
        const alike = told.filter((type) => marks[type].before === before);
        return sequence(text(before), choice(...alike.map(ended)));
      }),
    );
  }

  /** A value and the mark after it. */
  #ended(
    type: ValueType,
    schemas: Conjunction,
    listed: readonly unknown[] | undefined,
    name: string | undefined,
  ): Expression {
    const { marks, strings, closes } = this.#notation;
    const { maker } = this.#tools;
    const { before } = marks[type];
    const after = marks[type].after + (name === undefined ? '' : name + before);
    const isUnnamed = closes === true && name === undefined;
    const rest = isUnnamed ? sequence(anyName(maker), text(before)) : EMPTY;
    if (type !== 'string' || strings !== 'raw') {
      return sequence(this.#typed(type, schemas, listed), text(after), rest);
    }
    if (!listed) return sequence(rawString(schemas, after, maker), rest);
    const texts = listed.filter((value) => typeof value === 'string');
    return sequence(rawTexts(texts, after, maker), rest);
  }

  /** Whether values of this type are written as members. */
  #hasMembers(type: ValueType): boolean {
    const { nested } = this.#notation;
    return typeof nested === 'object' && (type === 'array' || type === 'object');
  }

  #typed(
    type: ValueType,
    schemas: Conjunction,
    listed: readonly unknown[] | undefined,
  ): Expression {
    const { words, nested } = this.#notation;
    if (listed) {
      const own = listed.filter((value) => valueType(typeOf(value)) === type);
      return choice(...own.map((value) => text(writtenValue(this.#notation, value))));
    }
    if (type === 'null') return text(words.null);
    if (type === 'boolean') {
      const allowed = [true, false].filter((value) => !isExcluded(value, schemas));
      return choice(...allowed.map((value) => text(words[value ? 'true' : 'false'])));
    }
    if (type === 'number') {
      const isInteger = schemas.length > 0 && !typesOf(schemas).has('number');
      return schemas.length === 0
        ? rule('number')
        : this.#tools.typed(isInteger ? 'integer' : 'number', schemas);
    }
    if (nested === 'bare') return this.#bare(type, schemas);
    if (typeof nested === 'object' && type !== 'string') return this.#inner(type, schemas, nested);
    return schemas.length === 0 ? rule(type) : this.#tools.typed(type, schemas);
  }

  /** An array or an object as members. */
  #inner(type: 'array' | 'object', schemas: Conjunction, { item }: { item: string }): Expression {
    const { maker } = this.#tools;
    const form = notedMembers(this.#notation);
    const element = (below: Located[]) => sequence(form.key(item), this.#marked(below, item));
    if (schemas.length === 0) {
      const member = maker.define(`any member in ${type}`, () =>
        type === 'array' ? element([]) : sequence(form.otherKey(ANY_TEXT, maker), this.#marked([])),
      );
      return list(member, form.comma);
    }
    if (type === 'object') {
      return this.#tools.object(schemas, form, (below, name) => this.#marked(below, name));
    }
    const listed = (value: unknown) => writtenMember(this.#notation, item, value);
    return this.#array(schemas, element, { open: '', close: '', comma: form.comma, listed });
  }

  #array(
    schemas: Conjunction,
    value: (below: Located[]) => Expression,
    form: ArrayForm,
  ): Expression {
    const { maker, branches } = this.#tools;
    const key = maker.shortened(`noted array ${keyOf(schemas)}`);
    const enumerate = (below: Located[]) => finiteValues(below, branches);
    return arrayExpression(schemas, key, { maker, form, value, enumerate });
  }

  #bare(type: 'string' | 'array' | 'object', schemas: Conjunction): Expression {
    const { maker } = this.#tools;
    const quote = quoteOf(this.#notation);
    const value = (below: readonly Located[]) => this.#bareValue(below);
    if (schemas.length === 0) return this.#any(type);
    switch (type) {
      case 'string':
        return sequence(text(quote), rawString(schemas, quote, maker));
      case 'array':
        return this.#array(schemas, value, {
          open: '[',
          close: ']',
          comma: COMMA,
          listed: (one) => writtenValue(this.#notation, one),
        });
      case 'object':
        return this.#tools.object(schemas, BARE_OBJECT, value);
    }
  }

  #any(type: 'string' | 'array' | 'object'): Expression {
    const { maker } = this.#tools;
    const quote = quoteOf(this.#notation);
    const value = this.#bareValue([]);
    const member = maker.define('any bare member', () =>
      sequence(BARE_OBJECT.otherKey(ANY_TEXT, maker), value),
    );
    switch (type) {
      case 'string':
        return sequence(text(quote), rawString([], quote, maker));
      case 'array':
        return sequence(text('['), list(value, COMMA), text(']'));
      case 'object':
        return sequence(text('{'), list(member, COMMA), text('}'));
    }
  }

  /** A value within another one. */
  #bareValue(schemas: readonly Located[]): Expression {
    return this.#value('bare', schemas, (branch) => {
      const listed = this.#listed(branch);
      return choice(
        ...typesIn(branch, listed).map((type) =>
          this.#rule(`bare ${type}`, branch, () => this.#typed(type, branch, listed)),
        ),
      );
    });
  }

  /** Alternatives may begin alike, so each gets a rule of its own. */
  #rule(kind: string, schemas: Conjunction, body: () => Expression): Expression {
    return this.#tools.maker.define(`${kind} of ${keyOf(schemas)}`, body);
  }

  #listed(schemas: Conjunction): unknown[] | undefined {
    return schemas.length === 0 ? undefined : enumeratedValues(schemas, this.#tools.branches);
  }
}

function list(item: Expression, comma: Expression): Expression {
  return optional(sequence(item, repeat(sequence(comma, item), 0)));
}

function typesIn(schemas: Conjunction, listed: readonly unknown[] | undefined): ValueType[] {
  if (!listed && schemas.length === 0) return [...VALUE_TYPES];
  const types = listed ? listed.map(typeOf) : [...typesOf(schemas)];
  const all = new Set(types.map(valueType));
  return VALUE_TYPES.filter((type) => all.has(type));
}

function sameMarks(one: { before: string; after: string }, other: typeof one): boolean {
  return one.before === other.before && one.after === other.after;
}

function keyOf(schemas: Conjunction): string {
  return schemas.map(({ path }) => path).join('\n');
}
