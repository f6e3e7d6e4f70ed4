import { automatonRules, regularRules } from './automaton-rules.ts';
import { TooComplex, type Automaton } from './automaton.ts';
import { areExclusive } from './exclusive.ts';
import { arrayExpression } from './arrays.ts';
import { Branches, type Conjunction } from './branches.ts';
import { choice, NEVER, rule, sequence, text, type Expression } from './expression.ts';
import { jsonRules } from './json-rules.ts';
import { numberExpression } from './numbers.ts';
import { AS_JSON, AS_KEYWORDS, objectExpression, type ObjectForm } from './objects.ts';
import { printGrammar } from './print-grammar.ts';
import { pruneGrammar } from './prune-grammar.ts';
import { COMMA } from './punctuation.ts';
import { numberConstraints, type NumberConstraints } from './number-constraints.ts';
import { isObject, located, type JsonObject, type Located } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';
import { freeString, IN_STRING, stringLanguage } from './strings.ts';
import { typesOf, type JsonType } from './types.ts';
import { enumeratedValues } from './values.ts';

const MAX_RULES = 10_000;
/** Characters. XGrammar would take too long to compile a larger grammar. */
const MAX_GRAMMAR = 400_000;

/** EBNF for any JSON object, written compactly. */
export function objectGrammar(): string {
  return finish(new Map([['root', rule('object')], ...jsonRules()]), 'response_format');
}

/**
 * EBNF for the JSON texts that are valid under a schema. Every text that it allows is valid. Of the valid
 * texts, it leaves out other ways to write the same value, and members that no keyword allows explicitly.
 *
 * @param path - of the schema in the request, for error messages
 * @throws ApiError 400 `invalid_json_schema`, with the path of what is invalid or cannot be enforced
 */
export function schemaGrammar(schema: unknown, path: string): string {
  return compiled(path, () => new SchemaCompiler(located(schema, path)).compile());
}

/**
 * Like schemaGrammar, but only for objects, whose members are written as the keyword arguments of a call:
 * `city="Bern", days=3`. The values are JSON.
 */
export function keywordsGrammar(schema: unknown, path: string): string {
  return compiled(path, () => new SchemaCompiler(located(schema, path)).compileKeywords());
}

function compiled(path: string, compile: () => ReadonlyMap<string, Expression>): string {
  try {
    return finish(compile(), path);
  } catch (error) {
    // Deep nesting overflows the call stack, and so do calls with too many arguments.
    if (error instanceof RangeError)
      throw invalidSchema(path, 'is nested too deeply or too large.');
    if (error instanceof TooComplex) throw invalidSchema(path, 'is too complex.');
    throw error;
  }
}

function finish(rules: ReadonlyMap<string, Expression>, path: string): string {
  const pruned = pruneGrammar(rules);
  if (!pruned) throw invalidSchema(path, 'is unsatisfiable: no value is valid under it.');
  const grammar = printGrammar(pruned);
  if (grammar.length > MAX_GRAMMAR) throw invalidSchema(path, 'is too large.');
  return grammar;
}

class SchemaCompiler {
  readonly #root: Located;
  readonly #rules = new Map<string, Expression>();
  readonly #names = new Map<string, string>();
  readonly #branches: Branches;

  constructor(root: Located) {
    this.#root = root;
    this.#branches = new Branches(root, (alternatives, siblings, path) => {
      this.#checkExclusive(alternatives, siblings, path);
    });
  }

  compile(): ReadonlyMap<string, Expression> {
    return this.#compileRoot(() => this.#value([this.#root]));
  }

  compileKeywords(): ReadonlyMap<string, Expression> {
    const branches = this.#branches.of([this.#root]);
    return this.#compileRoot(() =>
      choice(
        ...branches.map((branch, index) =>
          this.#define(`keywords ${index}`, () => this.#keywords(branch)),
        ),
      ),
    );
  }

  #compileRoot(root: () => Expression): ReadonlyMap<string, Expression> {
    this.#rules.set('root', NEVER);
    this.#rules.set('root', root());
    for (const [name, body] of jsonRules()) this.#rules.set(name, body);
    return this.#rules;
  }

  /** Makes one rule for each set of schemas that must all hold. Reusing the rule also ends recursion. */
  #value(schemas: readonly Located[]): Expression {
    const constraining = schemas.filter(({ schema }) => schema !== true);
    if (constraining.length === 0) return rule('value');
    const key = [...new Set(constraining.map(({ path }) => path))].sort().join('\n');
    return this.#define(key, () => {
      const branches = this.#branches.of(constraining).map((branch) => () => this.#branch(branch));
      const [only, ...more] = branches;
      if (only && more.length === 0) return only();
      // Alternatives may begin alike, so each gets a rule of its own: see automatonRules.
      return choice(...branches.map((body, index) => this.#define(`${key}\n#${index}`, body)));
    });
  }

  #define(key: string, body: () => Expression): Expression {
    const known = this.#names.get(key);
    if (known !== undefined) return rule(known);
    const name = `r${this.#names.size}`;
    if (this.#names.size > MAX_RULES) throw invalidSchema(this.#root.path, 'is too large.');
    this.#names.set(key, name);
    // Inserted now, so that the rule precedes those that it refers to: see productiveRules.
    this.#rules.set(name, NEVER);
    this.#rules.set(name, body());
    return rule(name);
  }

  #branch(schemas: Conjunction): Expression {
    const values = enumeratedValues(schemas, this.#branches);
    if (values) return this.#regular(choice(...values.map((value) => text(JSON.stringify(value)))));
    const types = typesOf(schemas);
    if (types.has('number')) types.delete('integer');
    return choice(...[...types].map((type) => this.#typed(type, schemas)));
  }

  #typed(type: JsonType, schemas: Conjunction): Expression {
    switch (type) {
      case 'null':
        return text('null');
      case 'boolean':
        return choice(text('true'), text('false'));
      case 'integer':
      case 'number':
        return this.#number(numberConstraints(schemas, type === 'integer'));
      case 'string':
        return this.#string(schemas);
      case 'array':
        return arrayExpression(schemas, (below) => this.#value(below));
      case 'object':
        return this.#object(schemas, AS_JSON);
    }
  }

  #string(schemas: Conjunction): Expression {
    const { automaton, counts } = stringLanguage(schemas);
    if (automaton) return this.#automatonString(automaton);
    return freeString(counts, (lengths, body) => this.#define(`characters: ${lengths}`, body));
  }

  #automatonString(automaton: Automaton): Expression {
    return sequence(text('"'), this.#add(automatonRules(automaton, this.#newName(), IN_STRING)));
  }

  #number(constraints: NumberConstraints): Expression {
    return this.#define(`number ${JSON.stringify(constraints)}`, () =>
      this.#regular(numberExpression(constraints)),
    );
  }

  #regular(expression: Expression): Expression {
    return this.#add(regularRules(expression, this.#newName()));
  }

  #newName(): string {
    return `s${this.#rules.size}`;
  }

  #add({ start, rules }: { start: Expression; rules: Map<string, Expression> }): Expression {
    for (const [name, body] of rules) this.#rules.set(name, body);
    return start;
  }

  #keywords(schemas: Conjunction): Expression {
    const values = enumeratedValues(schemas, this.#branches)?.filter(isObject);
    if (!values) return this.#object(schemas, AS_KEYWORDS);
    return this.#regular(choice(...values.map((value) => listed(value, AS_KEYWORDS))));
  }

  #object(schemas: Conjunction, form: ObjectForm): Expression {
    const key = schemas.map(({ path }) => path).join('\n');
    const tools = {
      branches: this.#branches,
      value: (below: Located[]) => this.#value(below),
      define: (name: string, body: () => Expression) => this.#define(name, body),
      automatonString: (automaton: Automaton) => this.#automatonString(automaton),
    };
    return objectExpression(schemas, `object ${form.open}\n${key}`, tools, form);
  }

  #checkExclusive(alternatives: Located[], siblings: Located, path: string): void {
    alternatives.forEach((one, index) => {
      const clash = alternatives
        .slice(0, index)
        .findIndex((other) => !areExclusive([siblings, one], [siblings, other], this.#branches));
      if (clash < 0) return;
      const message = `may match the same values as '${pathTo(path, clash)}': use anyOf, or make the two mutually exclusive.`;
      throw invalidSchema(pathTo(path, index), message);
    });
  }
}

/** Exactly this object, its members in this order. */
function listed(value: JsonObject, form: ObjectForm): Expression {
  const members = Object.entries(value).map(([name, member]) =>
    sequence(form.key(name), text(JSON.stringify(member))),
  );
  const parts = members.flatMap((member, index) => (index > 0 ? [COMMA, member] : [member]));
  return sequence(text(form.open), ...parts, text(form.close));
}
