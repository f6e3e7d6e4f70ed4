import {
  membersGrammar,
  schemaGrammar,
  type GrammarOptions,
} from '../../../core/grammar/compile.ts';
import type { Notation } from '../../../core/grammar/values/objects/notation.ts';
import { jsonText } from '../../../core/grammar/schema/canonical.ts';

/** Bytes of schemas and grammars that are kept: JavaScript takes up to two bytes for a character. */
const CAPACITY = 4_000_000;

/** Form, options and schema → grammar; the one used last is at the end. */
const compiled = new Map<string, string>();
let size = 0;

/**
 * The EBNF of a JSON Schema, as schemaGrammar makes it. Clients send the same schemas with every request,
 * so those used last are kept.
 *
 * @throws SchemaError
 */
export function compiledSchema(schema: unknown, options: GrammarOptions = {}): string {
  return remembered('json', schema, options, () => schemaGrammar(schema, options));
}

/** Like `compiledSchema`, with `membersGrammar`. */
export function compiledMembers(
  schema: unknown,
  notation: Notation,
  options: GrammarOptions = {},
): string {
  return remembered(jsonText(notation), schema, options, () =>
    membersGrammar(schema, notation, options),
  );
}

function remembered(
  form: string,
  schema: unknown,
  { strict, lenient }: GrammarOptions,
  compile: () => string,
): string {
  const key = `${form} ${strict !== false} ${lenient === true} ${jsonText(schema)}`;
  const known = compiled.get(key);
  const grammar = known ?? compile();
  if (known !== undefined) forget(key, known);
  remember(key, grammar);
  return grammar;
}

function remember(key: string, grammar: string): void {
  compiled.set(key, grammar);
  size += bytesOf(key, grammar);
  for (const [oldest, its] of compiled) {
    if (size <= CAPACITY) return;
    forget(oldest, its);
  }
}

function forget(key: string, grammar: string): void {
  compiled.delete(key);
  size -= bytesOf(key, grammar);
}

function bytesOf(key: string, grammar: string): number {
  return 2 * (key.length + grammar.length);
}
