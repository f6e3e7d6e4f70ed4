import { rule, type Expression } from './ebnf/expression.ts';
import { jsonRules } from './ebnf/json-rules.ts';
import { printGrammar } from './ebnf/print-grammar.ts';
import { pruneGrammar } from './ebnf/prune-grammar.ts';
import { TooComplex } from './regular/automaton.ts';
import { located } from './schema/schema.ts';
import { SchemaError } from './schema/schema-error.ts';
import { SchemaCompiler } from './schema-compiler.ts';

/** Characters. XGrammar would take too long to compile a larger grammar. */
const MAX_GRAMMAR = 600_000;

export interface GrammarOptions {
  /**
   * `false`: objects may have members that no keyword names, as JSON Schema says. Otherwise, an object with
   * properties has no others, unless its schema has `additionalProperties`.
   */
  strict?: boolean | undefined;
}

/** EBNF for any JSON object, written compactly. */
export function objectGrammar(): string {
  return finish(new Map([['root', rule('object')], ...jsonRules()]));
}

/**
 * EBNF for the JSON texts that are valid under a schema. Every text that it allows is valid. Of the valid
 * texts, it leaves out other ways to write the same value, and what README.md lists.
 *
 * @throws SchemaError with the path of what is invalid or cannot be enforced
 */
export function schemaGrammar(schema: unknown, options: GrammarOptions = {}): string {
  return compiled(schema, options, (compiler) => compiler.compile());
}

/**
 * Like schemaGrammar, but only for objects, whose members are written as the keyword arguments of a call:
 * `city="Bern", days=3`. The values are JSON.
 */
export function keywordsGrammar(schema: unknown, options: GrammarOptions = {}): string {
  return compiled(schema, options, (compiler) => compiler.compileKeywords());
}

function compiled(
  schema: unknown,
  { strict }: GrammarOptions,
  compile: (compiler: SchemaCompiler) => ReadonlyMap<string, Expression>,
): string {
  try {
    return finish(compile(new SchemaCompiler(located(schema, ''), strict !== false)));
  } catch (error) {
    // Deep nesting overflows the call stack, and so do calls with too many arguments.
    if (error instanceof RangeError)
      throw new SchemaError('', 'is nested too deeply or too large.');
    if (error instanceof TooComplex) throw new SchemaError('', 'is too complex.');
    throw error;
  }
}

function finish(rules: ReadonlyMap<string, Expression>): string {
  const pruned = pruneGrammar(rules);
  if (!pruned) throw new SchemaError('', 'is unsatisfiable: no value is valid under it.');
  const grammar = printGrammar(pruned);
  if (grammar.length > MAX_GRAMMAR) throw new SchemaError('', 'is too large.');
  return grammar;
}
