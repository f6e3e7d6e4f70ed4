import { areExclusive } from './exclusive.ts';
import { arrayExpression } from './arrays.ts';
import { Branches, type Conjunction } from './branches.ts';
import { choice, NEVER, rule, text, type Expression } from './expression.ts';
import { JSON_RULES } from './json-rules.ts';
import { numberExpression } from './numbers.ts';
import { objectExpression } from './objects.ts';
import { printGrammar } from './print-grammar.ts';
import { pruneGrammar } from './prune-grammar.ts';
import { numberFacts } from './scalars.ts';
import { located, type Located } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';
import { automatonString, freeString, stringLanguage } from './strings.ts';
import { typesOf, type JsonType } from './types.ts';
import { enumeratedValues } from './values.ts';

const MAX_RULES = 10_000;
/** Characters: what is larger would take the engine too long to compile. */
const MAX_GRAMMAR = 400_000;

/** EBNF for any JSON object, with white space that cannot go on for ever. */
export function objectGrammar(): string {
  return finish(new Map([['root', rule('object')], ...JSON_RULES]), 'response_format');
}

/**
 * The EBNF of the JSON texts that are valid under a schema, written compactly: all of them are, and of
 * the valid ones it leaves out only other ways to write the same, and members nobody named.
 *
 * @param path - where the schema is in the request, for errors
 * @throws ApiError 400 invalid_json_schema, with the path of what is wrong or cannot be enforced
 */
export function schemaGrammar(schema: unknown, path: string): string {
  const compiler = new SchemaCompiler(located(schema, path));
  return finish(compiler.compile(), path);
}

function finish(rules: ReadonlyMap<string, Expression>, path: string): string {
  const pruned = pruneGrammar(rules);
  if (!pruned) throw invalidSchema(path, 'matches nothing: no value can be valid under it.');
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
    this.#rules.set('root', NEVER);
    this.#rules.set('root', this.#value([this.#root]));
    for (const [name, body] of JSON_RULES) this.#rules.set(name, body);
    return this.#rules;
  }

  /** A rule for each set of schemas that must hold at once: that also ends recursion. */
  #value(schemas: readonly Located[]): Expression {
    const constraining = schemas.filter(({ schema }) => schema !== true);
    if (constraining.length === 0) return rule('value');
    const key = [...new Set(constraining.map(({ path }) => path))].sort().join('\n');
    return this.#define(key, () =>
      choice(...this.#branches.of(constraining).map((branch) => this.#branch(branch))),
    );
  }

  #define(key: string, body: () => Expression): Expression {
    const known = this.#names.get(key);
    if (known !== undefined) return rule(known);
    const name = `r${this.#names.size}`;
    if (this.#names.size > MAX_RULES) throw invalidSchema(this.#root.path, 'is too large.');
    this.#names.set(key, name);
    // Set before it is known, so that the rule stands before those it leads to.
    this.#rules.set(name, NEVER);
    this.#rules.set(name, body());
    return rule(name);
  }

  #branch(schemas: Conjunction): Expression {
    const values = enumeratedValues(schemas, this.#branches);
    if (values) return choice(...values.map((value) => text(JSON.stringify(value))));
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
        return numberExpression(numberFacts(schemas, type === 'integer'));
      case 'string':
        return this.#string(schemas);
      case 'array':
        return arrayExpression(schemas, (below) => this.#value(below));
      case 'object':
        return this.#object(schemas);
    }
  }

  #string(schemas: Conjunction): Expression {
    const { automaton, counts } = stringLanguage(schemas);
    if (automaton) return this.#automatonString(automaton);
    return freeString(counts, (length, body) => this.#define(`string of up to ${length}`, body));
  }

  #automatonString(automaton: Parameters<typeof automatonString>[0]): Expression {
    const name = `s${this.#rules.size}`;
    return automatonString(automaton, name, this.#rules);
  }

  #object(schemas: Conjunction): Expression {
    const key = schemas.map(({ path }) => path).join('\n');
    return objectExpression(schemas, `object\n${key}`, {
      branches: this.#branches,
      value: (below) => this.#value(below),
      define: (name, body) => this.#define(name, body),
      automatonString: (automaton) => this.#automatonString(automaton),
    });
  }

  #checkExclusive(alternatives: Located[], siblings: Located, path: string): void {
    alternatives.forEach((one, index) => {
      const clash = alternatives
        .slice(0, index)
        .findIndex((other) => !areExclusive([siblings, one], [siblings, other], this.#branches));
      if (clash < 0) return;
      const message = `may match the same values as '${pathTo(path, clash)}': use anyOf, or make them exclude each other.`;
      throw invalidSchema(pathTo(path, index), message);
    });
  }
}
