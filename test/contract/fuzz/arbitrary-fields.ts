import * as v from 'valibot';

/** Numbers from 0 up to 1, the same for the same seed. */
export type Random = () => number;

export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NUMBERS = [0, 1, 2, 7, -1, 0.5, 1.5, -2, 20, 21, 100, 2 ** 31, 2 ** 53, 1e21, 1e300, -1e300];
const TEXTS = [
  ...['', 'Hi', 'a', '<|im_end|>', '</think>', '\0', '\ud83d', '😀', '{"a": 1}', '{"a": "b', '['],
  ...['^a+$', 'auto', 'none', 'json_schema', 'text', 'function', 'user', '__proto__', '127'],
];
/** Values of every type that JSON has. */
export const ANYTHING: readonly unknown[] = [
  ...[null, true, false, {}, [], [[]], { type: 'object' }, { type: 'text', text: 'a' }],
  ...[{ type: 'json_schema', schema: { type: 'object' } }, { a: { b: [1, null] } }, ['a', 1]],
  ...[{ properties: { a: { type: 'string', pattern: '\\bx' } }, required: ['a'] }],
  ...NUMBERS,
  ...TEXTS,
];
/** Types of items, tools and blocks: they decide the schemas of their objects. */
const TYPES = [
  ...['message', 'function_call', 'function_call_output', 'reasoning', 'item_reference', 'text'],
  ...['function', 'custom', 'web_search', 'allowed_tools', 'tool', 'any', 'image', 'tool_use'],
  ...['tool_result', 'thinking', 'redacted_thinking', 'image_url', 'input_text', 'file_search'],
  ...['mcp', 'mcp_list_tools', 'mcp_call', 'mcp_approval_request', 'mcp_approval_response'],
];
/** The deepest objects: schemas may contain themselves. */
const DEPTH = 6;

/** Values for the fields of a schema: most are as it says, some of any other type. */
export class Fields {
  readonly #random: Random;
  /** Values of some fields, by their names: others would make every request wrong. */
  readonly #usual: Readonly<Record<string, readonly unknown[]>>;

  constructor(random: Random, usual: Readonly<Record<string, readonly unknown[]>>) {
    this.#random = random;
    this.#usual = usual;
  }

  /** @param oddity - how likely each value is of another type, 0 to 1 */
  value(schema: v.GenericSchema, oddity: number, depth = DEPTH): unknown {
    if (this.#random() < oddity || depth === 0) return this.#pick(ANYTHING);
    const inner = innermost(schema);
    if (is<v.LazySchema<v.GenericSchema>>(inner, 'lazy')) {
      const chosen = this.#pick(['Hi', [], {}, ...TYPES.map((type) => ({ type }))]);
      const value = this.value(inner.getter(chosen), oddity, depth);
      if (typeof chosen !== 'object' || typeof value !== 'object') return value;
      return Array.isArray(value) ? value : Object.assign({}, value, chosen);
    }
    if (is<v.ArraySchema<v.GenericSchema, undefined>>(inner, 'array')) {
      const count = Math.floor(this.#random() * 4);
      return Array.from({ length: count }, () => this.value(inner.item, oddity, depth - 1));
    }
    if (is<v.ObjectSchema<v.ObjectEntries, undefined>>(inner, 'object')) {
      return this.#object(inner.entries, oddity, depth);
    }
    if (is<v.PicklistSchema<string[], undefined>>(inner, 'picklist')) {
      return this.#pick(inner.options);
    }
    const fitting = ANYTHING.filter((value) => v.is(inner, value));
    return this.#pick(fitting.length > 0 ? fitting : ANYTHING);
  }

  #object(entries: v.ObjectEntries, oddity: number, depth: number): object {
    const members = Object.entries(entries).flatMap(([name, entry]): [string, unknown][] => {
      const usual = this.#usual[name];
      if (usual && this.#random() > oddity) return [[name, this.#pick(usual)]];
      // Optional fields are seldom together, so that each one matters.
      if (entry.type === 'nullish' && this.#random() > 0.15) return [];
      return [[name, this.value(isSchema(entry) ? entry : v.unknown(), oddity, depth - 1)]];
    });
    return Object.fromEntries(members);
  }

  #pick<T>(values: readonly T[]): T | undefined {
    return values[Math.floor(this.#random() * values.length)];
  }
}

function isSchema(entry: object): entry is v.GenericSchema {
  return 'kind' in entry && entry.kind === 'schema' && !('async' in entry && entry.async === true);
}

function is<S extends v.GenericSchema>(schema: v.GenericSchema, type: S['type']): schema is S {
  return schema.type === type;
}

/** The schema that says most about a value: without what wraps it, and the last of a pipe. */
function innermost(schema: v.GenericSchema): v.GenericSchema {
  if (is<v.NullishSchema<v.GenericSchema, undefined>>(schema, 'nullish')) {
    return innermost(schema.wrapped);
  }
  const steps: unknown = 'pipe' in schema ? schema.pipe : [];
  const schemas = (Array.isArray(steps) ? steps : []).filter(isSchema);
  const last = schemas.at(-1);
  return last && last !== schema && schemas.length > 1 ? innermost(last) : schema;
}
