import { EMPTY, sequence, type Expression } from '../../ebnf/expression.ts';
import type { RuleMaker } from '../../ebnf/rule-maker.ts';
import type { Branches } from '../../schema/branches.ts';
import {
  numberOf,
  type Conjunction,
  type Located,
  countsOf,
  type Counts,
} from '../../schema/schema.ts';
import { pathTo, SchemaError } from '../../schema/schema-error.ts';
import { declaredNames, isOpen, memberSchemas, requiredNames, unnamedSchemas } from './members.ts';
import { acceptsName, nameClasses, nameLanguage, type NameClass } from './names.ts';
import type { ObjectForm } from './object-form.ts';

/** What the expression of an object needs from the compiler. */
export interface ObjectTools {
  maker: RuleMaker;
  branches: Branches;
  /** Whether a schema with properties allows only these, unless it says otherwise. */
  isStrict: boolean;
  /** The most rules that an object may have so that its members can be written in any order. */
  statesForOrder: number;
  /** A value that satisfies all these schemas. The name is that of the member, if it is declared. */
  value: (schemas: Located[], name?: string) => Expression;
}

/** What schemas say about the members of an object. */
export class ObjectShape {
  /** The names that are declared and allowed, in the order in which they are written. */
  readonly names: readonly string[];
  readonly required: ReadonlySet<string>;
  readonly counts: Counts;
  /** The other names that are allowed. */
  readonly classes: readonly NameClass[];
  /** Whether a required name is not allowed. */
  readonly isImpossible: boolean;
  readonly #schemas: Conjunction;
  readonly #key: string;
  readonly #tools: ObjectTools;
  readonly #form: ObjectForm;

  /** @param key - as in objectExpression */
  constructor(schemas: Conjunction, key: string, tools: ObjectTools, form: ObjectForm) {
    this.#schemas = schemas;
    this.#key = key;
    this.#tools = tools;
    this.#form = form;
    const language = nameLanguage(schemas, tools.branches);
    const declared = [...new Set([...declaredNames(schemas), ...(language.listed ?? [])])];
    this.names = declared.filter((name) => acceptsName(language, name) && this.#canBe(name));
    this.required = requiredNames(schemas);
    this.isImpossible = [...this.required].some((name) => !this.names.includes(name));
    this.counts = this.#neededCounts();
    this.classes = language.listed
      ? []
      : this.#allowed(nameClasses(schemas, declared, language.automaton));
  }

  /** The separator before a member if so many members are written. */
  comma(written: number): Expression {
    return written > 0 ? this.#form.comma : EMPTY;
  }

  /** A member with a declared name. `more` must hold for its value, too. */
  member(name: string, more: readonly Located[] = []): Expression {
    const value = this.#tools.value([...memberSchemas(this.#schemas, name), ...more], name);
    return sequence(this.#form.key(name), value);
  }

  /** A member with another name. `more` must hold for its value, too. */
  other({ automaton, patterns, name }: NameClass, more: readonly Located[] = []): Expression {
    const value = this.#tools.value([...unnamedSchemas(this.#schemas, patterns), ...more]);
    const { maker } = this.#tools;
    const key = maker.define(`${this.#key} named ${name}`, () =>
      this.#form.otherKey(automaton, maker),
    );
    return sequence(key, value);
  }

  /** The error if the schema asks for more members with other names than can be told apart. */
  tooMany(): SchemaError {
    const at = this.#schemas.find((one) => numberOf(one, 'minProperties') === this.counts.min);
    const path = pathTo(at?.path ?? '', 'minProperties');
    return new SchemaError(path, 'asks for too many members whose names are not listed.');
  }

  #canBe(name: string): boolean {
    return memberSchemas(this.#schemas, name).every(({ schema }) => schema !== false);
  }

  /** Name classes whose members may appear in the object. */
  #allowed(classes: readonly NameClass[]): NameClass[] {
    const open = isOpen(this.#schemas, this.#tools.isStrict);
    return classes.filter(
      ({ patterns }) =>
        (open || patterns.length > 0) &&
        unnamedSchemas(this.#schemas, patterns).every(({ schema }) => schema !== false),
    );
  }

  /** The counts. `min` is 0 if the required names satisfy it anyway. */
  #neededCounts(): Counts {
    const { min, max } = countsOf(this.#schemas, 'minProperties', 'maxProperties');
    return { min: min <= this.required.size ? 0 : min, max };
  }
}
