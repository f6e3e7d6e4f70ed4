/** Separates the path of a schema in the request from what the compiler made of it. */
const DERIVED = '\0';

/** A JSON Schema is invalid or asks for something that cannot be enforced. */
export class SchemaError extends Error {
  /** Where, inside the schema: `.properties.age.minimum`; empty: the schema as a whole. */
  readonly path: string;
  /** What is wrong, as the end of a sentence about the path: `must be a number.` */
  readonly text: string;

  constructor(path: string, text: string) {
    const [own = ''] = path.split(DERIVED);
    super(`'schema${own}' ${text}`);
    this.name = 'SchemaError';
    this.path = own;
    this.text = text;
  }
}

/** Extends a path: to `.properties.age`, `.anyOf[0]`, `.properties["a b"]`. */
export function pathTo(path: string, ...keys: (string | number)[]): string {
  return keys.reduce<string>((at, key) => {
    if (typeof key === 'number') return `${at}[${key}]`;
    return /^[\w$-]+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`;
  }, path);
}

/** The keys of a path that `pathTo` has made. */
export function keysOf(path: string): (string | number)[] {
  return [...path.matchAll(/\.([\w$-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)].map(
    ([, name, index, quoted]) => {
      if (index !== undefined) return Number(index);
      return name ?? String(JSON.parse(quoted ?? '""'));
    },
  );
}

/** The path of a schema that the compiler derives from the one at `path`. `name` tells it from others. */
export function derivedPath(path: string, name: string): string {
  return `${path}${DERIVED}${name}`;
}
