import { schemaGrammar } from '../../src/core/grammar/compile.ts';

/** Characters of schemas and grammars that are kept. */
const CAPACITY = 2_000_000;

/** Schema → grammar; the one used last is at the end. A worker that was restarted fills it again. */
const compiled = new Map<string, string>();
let size = 0;

/**
 * The EBNF of a JSON Schema, as schemaGrammar makes it. Clients send the same schemas with each request:
 * those used last are kept.
 *
 * @throws ApiError 400 invalid_json_schema, as schemaGrammar does
 */
export function compiledSchema(schema: unknown, path: string): string {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  const grammar = known ?? schemaGrammar(schema, path);
  if (known !== undefined) forget(key, known);
  remember(key, grammar);
  return grammar;
}

function remember(key: string, grammar: string): void {
  compiled.set(key, grammar);
  size += key.length + grammar.length;
  for (const [oldest, its] of compiled) {
    if (size <= CAPACITY) return;
    forget(oldest, its);
  }
}

function forget(key: string, grammar: string): void {
  compiled.delete(key);
  size -= key.length + grammar.length;
}
