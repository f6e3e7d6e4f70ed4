import { choice, NEVER, rule, text, type Expression } from './ebnf/expression.ts';
import { jsonRules } from './ebnf/json-rules.ts';
import { newRuleMaker } from './new-rule-maker.ts';
import { textsAutomaton } from './regular/automaton.ts';
import { automatonRules } from './regular/automaton-rules.ts';
import { Branches } from './schema/branches.ts';
import { jsonText } from './schema/canonical.ts';
import { Document } from './schema/document.ts';
import { areExclusive } from './schema/exclusive.ts';
import { SchemaError } from './schema/schema-error.ts';
import { isExcluded, type Conjunction, type Located } from './schema/schema.ts';
import { typesOf, type JsonType } from './schema/types.ts';
import { arrayExpression } from './values/arrays/arrays.ts';
import { JSON_ARRAY } from './values/arrays/elements.ts';
import { enumeratedValues, finiteValues } from './values/enumerated.ts';
import { numberConstraints } from './values/numbers/number-constraints.ts';
import { lacksDigits, numberAutomaton } from './values/numbers/numbers.ts';
import { NotedValues } from './values/noted-values.ts';
import type { Notation } from './values/objects/notation.ts';
import { AS_JSON, type ObjectForm } from './values/objects/object-form.ts';
import { objectExpression } from './values/objects/objects.ts';
import { WRITTEN } from './values/strings/raw-strings.ts';
import { stringExpression } from './values/strings/strings.ts';

/** The most rules for the order of members, in one object and in all objects together. */
const MAX_STATES_FOR_ORDER = 40;
const ALL_STATES_FOR_ORDER = 400;

/** Compiles one schema to rules, of which `root` is the first. */
export class SchemaCompiler {
  readonly #root: Located;
  readonly #isStrict: boolean;
  readonly #branches: Branches;
  /** About how many objects the schema describes. */
  #objects: number | undefined;
  readonly #maker = newRuleMaker();

  constructor(root: Located, isStrict: boolean) {
    this.#root = root;
    this.#isStrict = isStrict;
    this.#branches = new Branches(new Document(root), areExclusive);
  }

  /** Why valid texts are left out; undefined if none are. */
  get leftOut(): Error | undefined {
    return this.#maker.leftOut;
  }

  /** @throws SchemaError, RangeError for deep nesting, TooComplex */
  compile(): ReadonlyMap<string, Expression> {
    return this.#compileRoot(() => this.#value([this.#root]));
  }

  /** Like `compile`, but for objects whose members are written in a notation. */
  compileMembers(notation: Notation): ReadonlyMap<string, Expression> {
    const noted = new NotedValues(notation, {
      maker: this.#maker,
      branches: this.#branches,
      json: (below) => this.#value(below),
      typed: (type, schemas) => this.#typed(type, schemas),
      object: (schemas, form, value) => this.#object(schemas, form, value),
    });
    return this.#compileRoot(() => noted.members(this.#root));
  }

  #compileRoot(root: () => Expression): ReadonlyMap<string, Expression> {
    this.#maker.set('root', NEVER);
    this.#maker.set('root', root());
    for (const [name, body] of jsonRules()) this.#maker.rules.set(name, body);
    return this.#maker.rules;
  }

  /** Makes one rule for each set of schemas that must all hold. Reusing the rule also ends recursion. */
  #value(schemas: readonly Located[]): Expression {
    const constraining = schemas.filter(({ schema }) => schema !== true);
    if (constraining.length === 0) return rule('value');
    const key = [...new Set(constraining.map(({ path }) => path))].sort().join('\n');
    return this.#maker.define(key, () => {
      const branches = this.#branches.of(constraining);
      const [only, ...more] = branches;
      if (only && more.length === 0) return this.#branch(only);
      // Alternatives may begin alike, so each gets a rule of its own: see automatonRules.
      return choice(...branches.map((branch) => this.#branchRule(branch)));
    });
  }

  #branchRule(branch: Conjunction): Expression {
    return this.#maker.define(`branch ${keyOf(branch)}`, () => this.#branch(branch));
  }

  #branch(schemas: Conjunction): Expression {
    if (schemas.length === 0) return rule('value');
    const values = enumeratedValues(schemas, this.#branches);
    if (values) return this.#texts(values.map(jsonText));
    const types = typesOf(schemas);
    if (types.has('number')) types.delete('integer');
    return choice(...[...types].map((type) => this.#typed(type, schemas)));
  }

  #typed(type: JsonType, schemas: Conjunction): Expression {
    const maker = this.#maker;
    switch (type) {
      case 'null':
        return isExcluded(null, schemas) ? NEVER : text('null');
      case 'boolean':
        return choice(
          ...[true, false].map((it) => (isExcluded(it, schemas) ? NEVER : text(String(it)))),
        );
      case 'integer':
      case 'number':
        return this.#number(schemas, type === 'integer');
      case 'string':
        return stringExpression(schemas, maker);
      case 'array':
        return arrayExpression(schemas, this.#maker.shortened(`array ${keyOf(schemas)}`), {
          maker,
          form: JSON_ARRAY,
          value: (below) => this.#value(below),
          enumerate: (below) => finiteValues(below, this.#branches),
        });
      case 'object':
        return this.#object(schemas, AS_JSON);
    }
  }

  #number(schemas: Conjunction, isInteger: boolean): Expression {
    const constraints = numberConstraints(schemas, isInteger);
    if (lacksDigits(constraints)) {
      const at = schemas.find(({ schema }) =>
        Object.keys(schema).some((key) => key.endsWith('imum')),
      );
      const why = 'has bounds so close that the numbers between them have too many digits.';
      this.#maker.leaveOut(new SchemaError(at?.path ?? '', why));
    }
    return this.#maker.define(`number ${jsonText(constraints)}`, () =>
      automatonRules(numberAutomaton(constraints), this.#maker.newName(), this.#maker, WRITTEN),
    );
  }

  /** Exactly these texts. */
  #texts(texts: readonly string[]): Expression {
    return this.#maker.define(`texts ${JSON.stringify(texts)}`, () =>
      automatonRules(textsAutomaton(texts), this.#maker.newName(), this.#maker, WRITTEN),
    );
  }

  #statesForOrder(): number {
    this.#objects ??= jsonText(this.#root.schema).split('"properties"').length;
    return Math.min(MAX_STATES_FOR_ORDER, Math.floor(ALL_STATES_FOR_ORDER / this.#objects));
  }

  #object(
    schemas: Conjunction,
    form: ObjectForm,
    value: (below: Located[], name?: string) => Expression = (below) => this.#value(below),
  ): Expression {
    const tools = {
      maker: this.#maker,
      branches: this.#branches,
      isStrict: this.#isStrict,
      statesForOrder: this.#isStrict ? 0 : this.#statesForOrder(),
      value,
    };
    const key = this.#maker.shortened(`object ${form.open}\n${keyOf(schemas)}`);
    return objectExpression(schemas, key, tools, form);
  }
}

function keyOf(schemas: Conjunction): string {
  return schemas.map(({ path }) => path).join('\n');
}
