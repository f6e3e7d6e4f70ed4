import { checkKeywords } from './keywords.ts';
import { resolveReference } from './references.ts';
import { stringOf, subschemaList, type Checked, type Located } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';

/** Schemas that must all hold. Their `$ref`, `allOf`, `anyOf` and `oneOf` are already expanded. */
export type Conjunction = readonly Checked[];

/** The most combinations of alternatives that schemas may expand to. */
const MAX_BRANCHES = 500;

interface Pending extends Located {
  /** Paths of the schemas that led to this one. */
  via: readonly string[];
}

/**
 * Expands schemas that must all hold into branches: it follows each `$ref`, merges each `allOf`, and makes
 * one branch for each alternative of `anyOf` and `oneOf`. Without any branch, no value is valid.
 */
export class Branches {
  readonly #root: Located;
  readonly #checkExclusive: (alternatives: Located[], siblings: Checked, path: string) => void;
  readonly #exclusive = new Set<string>();

  /** @param checkExclusive - throws if two alternatives of a oneOf may match the same value */
  constructor(
    root: Located,
    checkExclusive: (alternatives: Located[], siblings: Checked, path: string) => void,
  ) {
    this.#root = root;
    this.#checkExclusive = checkExclusive;
  }

  of(schemas: readonly Located[]): Conjunction[] {
    const pending = schemas.map((schema) => ({ ...schema, via: [] }));
    return this.#expand(pending, new Map());
  }

  #expand(pending: readonly Pending[], held: ReadonlyMap<string, Checked>): Conjunction[] {
    const [next, ...rest] = pending;
    if (!next) return [[...held.values()]];
    const { schema, path, via } = next;
    if (rest.length > MAX_BRANCHES) tooMany(path);
    // A schema that refers to itself without consuming anything matches nothing.
    if (schema === false || via.includes(path)) return [];
    if (schema === true || held.has(path)) return this.#expand(rest, held);
    const checked = checkKeywords({ schema, path });
    const now = new Map(held).set(path, checked);
    const below = (items: Located[]) => items.map((item) => ({ ...item, via: [...via, path] }));
    const all = below([...this.#reference(checked), ...subschemaList(checked, 'allOf')]);
    return this.#alternatives(checked)
      .flatMap((chosen) => this.#expand([...all, ...below(chosen), ...rest], now))
      .filter((_, index) => index < MAX_BRANCHES || tooMany(path));
  }

  #reference(from: Checked): Located[] {
    const reference = stringOf(from, '$ref');
    return reference === undefined ? [] : [resolveReference(this.#root, from, reference)];
  }

  /** Every way to choose one schema from anyOf and one from oneOf. */
  #alternatives(checked: Checked): Located[][] {
    const any = subschemaList(checked, 'anyOf');
    const one = subschemaList(checked, 'oneOf');
    this.#requireExclusive(checked, one);
    const orNone = (list: Located[]) => (list.length > 0 ? list.map((item) => [item]) : [[]]);
    return orNone(any).flatMap((left) => orNone(one).map((right) => [...left, ...right]));
  }

  #requireExclusive({ schema, path }: Checked, alternatives: Located[]): void {
    if (alternatives.length < 2 || this.#exclusive.has(path)) return;
    this.#exclusive.add(path);
    // Comparing each pair would take seconds, and so many alternatives are refused anyway.
    if (alternatives.length > MAX_BRANCHES) tooMany(path);
    const { oneOf: _one, anyOf: _any, allOf: _all, $ref: _ref, ...siblings } = schema;
    const own = { schema: siblings, path: `${path} without alternatives` };
    this.#checkExclusive(alternatives, own, pathTo(path, 'oneOf'));
  }
}

function tooMany(path: string): never {
  throw invalidSchema(path, 'has too many combinations of alternatives.');
}
