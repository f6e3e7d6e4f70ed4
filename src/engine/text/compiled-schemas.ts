import { keywordsGrammar, schemaGrammar } from '../../core/grammar/compile.ts';

/** Characters of schemas and grammars that are kept. */
const CAPACITY = 2_000_000;

/** Form and schema → grammar; the one used last is at the end. */
const compiled = new Map<string, string>();
let size = 0;

/**
 * The EBNF of a JSON Schema, as schemaGrammar makes it. Clients send the same schemas with every request,
 * so those used last are kept.
 *
 * @throws ApiError 400 invalid_json_schema, with the path inside the schema
 */
export function compiledSchema(schema: unknown): string {
  return remembered('json', schema, schemaGrammar);
}

/** As compiledSchema, with keywordsGrammar. */
export function compiledKeywords(schema: unknown): string {
  return remembered('keywords', schema, keywordsGrammar);
}

function remembered(
  form: string,
  schema: unknown,
  compile: (schema: unknown, path: string) => string,
): string {
  const key = `${form} ${JSON.stringify(schema)}`;
  const known = compiled.get(key);
  const grammar = known ?? compile(schema, '');
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
