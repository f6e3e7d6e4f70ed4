import { rule, type Rules } from './ebnf/expression.ts';
import { jsonRules } from './ebnf/json-rules.ts';
import { finishedGrammar } from './finished-grammar.ts';
import { located } from './schema/schema.ts';
import { SchemaError } from './schema/schema-error.ts';
import { asFarAsPossible } from './schema/annotations.ts';
import { SchemaCompiler } from './schema-compiler.ts';
import type { Notation } from './values/objects/notation.ts';

export interface GrammarOptions {
  /**
   * `false`: objects may have members that no keyword names, as JSON Schema says. Otherwise, an object with
   * properties has no others, unless its schema has `additionalProperties`.
   */
  strict?: boolean | undefined;
  /** What cannot be enforced is left out, as if it were an annotation: the schema is held as far as it can be. */
  lenient?: boolean | undefined;
}

/** EBNF for any JSON object, written compactly. */
export function objectGrammar(): string {
  return finishedGrammar(
    () => new Map([['root', rule('object')], ...jsonRules()]),
    () => new SchemaError('', 'matches no object.'),
  );
}

/**
 * EBNF for the JSON texts that are valid under a schema. Every text that it allows is valid. It does not allow every
 * valid text: it leaves out other ways to write the same value, and the texts that README.md lists.
 *
 * @throws SchemaError with the path of what is invalid or cannot be enforced
 */
export function schemaGrammar(schema: unknown, options: GrammarOptions = {}): string {
  return compiled(schema, options, (compiler) => compiler.compile());
}

/** Like schemaGrammar, but only for objects, whose members are written in a notation, e.g. `city="Bern", days=3`. */
export function membersGrammar(
  schema: unknown,
  notation: Notation,
  options: GrammarOptions = {},
): string {
  return compiled(schema, options, (compiler) => compiler.compileMembers(notation));
}

function compiled(
  schema: unknown,
  { strict, lenient }: GrammarOptions,
  compile: (compiler: SchemaCompiler) => Rules,
): string {
  const grammarOf = (each: unknown) => exactly(each, strict, compile);
  return lenient === true ? asFarAsPossible(schema, grammarOf) : grammarOf(schema);
}

function exactly(
  schema: unknown,
  strict: boolean | undefined,
  compile: (compiler: SchemaCompiler) => Rules,
): string {
  const compiler = new SchemaCompiler(located(schema, ''), strict !== false);
  return finishedGrammar(
    () => compile(compiler),
    () => compiler.leftOut ?? new SchemaError('', 'is unsatisfiable: no value is valid under it.'),
  );
}
