import { checkKeywords } from './keywords.ts';
import { isObject, located, type Checked, type JsonObject, type Located } from './schema.ts';
import { pathTo, SchemaError } from './schema-error.ts';

/** The base of relative references in a schema without `$id`. */
const NO_BASE = 'schema://root/';
/** Keywords whose values are not schemas, even if they look like schemas. */
const DATA = new Set(['enum', 'const', 'default', 'examples']);
/** Keywords whose values are objects of schemas. */
const MAPS = new Set([
  ...['properties', 'patternProperties', '$defs', 'definitions', 'dependencies'],
  'dependentSchemas',
]);
/** Keywords whose values are schemas or lists of schemas. */
const SCHEMAS = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'additionalProperties'],
  ...['propertyNames', 'items', 'prefixItems', 'additionalItems', 'contains'],
]);
/** The drafts in which a `$ref` replaces all keywords beside it, also `$id`. */
const OLD_DRAFT = /draft-0[3467]/;

type Draft = 'old' | 'new' | 'unknown';

/** A schema as a whole: the draft of JSON Schema that it follows, and where its references point to. */
export class Document {
  readonly root: Located;
  readonly #draft: Draft;
  #index: Index | undefined;

  constructor(root: Located) {
    this.root = root;
    const dialect = isObject(root.schema) ? root.schema['$schema'] : undefined;
    const isKnown = typeof dialect === 'string';
    this.#draft = isKnown ? (OLD_DRAFT.test(dialect) ? 'old' : 'new') : 'unknown';
  }

  /**
   * Checks the keywords of a schema, without those that its draft ignores.
   *
   * @throws SchemaError for a keyword that has a wrong value or cannot be enforced
   */
  read(found: Located & { schema: JsonObject }): Checked {
    const { $ref } = found.schema;
    if ($ref === undefined || this.#draft !== 'old') return checkKeywords(found);
    return checkKeywords({ ...found, schema: { $ref } });
  }

  /**
   * The schema that a `$ref` points to.
   *
   * @throws SchemaError if the reference points to nothing or out of the document
   */
  resolve(from: Checked, reference: string): Located {
    const index = (this.#index ??= new Index(this.root, this.#draft));
    const at = pathTo(from.path, '$ref');
    const uris = [...index.basesOf(from)].map((base) => resolveUri(base, reference));
    const [found, other] = uris.flatMap((uri) => this.#find(uri, index) ?? []);
    if (found && other && found.path !== other.path) {
      throw new SchemaError(at, "points to two schemas: '$schema' must say if '$id' counts.");
    }
    if (found) return found;
    const isInside = uris.some((uri) => index.named(uri.split('#', 1)[0] ?? ''));
    const what =
      isInside && reference.includes('#/')
        ? 'to a schema that does not exist'
        : 'out of the schema';
    throw new SchemaError(at, `points ${what}: '${reference}'.`);
  }

  #find(uri: string, index: Index): Located | undefined {
    const [base = '', fragment = ''] = uri.split('#', 2);
    const resource = index.named(base);
    const named = index.named(uri) ?? (fragment === '' ? resource : undefined);
    if (named || !resource || !fragment.startsWith('/')) return named;
    // Some generators write an `$id` into every subschema, but their pointers still start at the root.
    return pointed(resource, fragment) ?? pointed(this.root, fragment);
  }
}

/** The schemas of a document by their URIs. */
class Index {
  readonly #schemas = new Map<string, Located>();
  /** Path → bases. */
  readonly #bases = new Map<string, ReadonlySet<string>>();
  /** Visits the values of unknown keywords. They may not be schemas, so a name counts only if no schema has it. */
  readonly #unknown: (() => void)[] = [];
  readonly #draft: Draft;

  constructor(root: Located, draft: Draft) {
    this.#draft = draft;
    this.#schemas.set(NO_BASE, root);
    this.#visit(root.schema, root.path, NO_BASE);
    for (const visit of this.#unknown) visit();
  }

  named(uri: string): Located | undefined {
    return this.#schemas.get(uri);
  }

  /** The bases of a schema's reference. Beside an `$id`, there are two if the draft is not known. */
  basesOf({ path }: Located): ReadonlySet<string> {
    return this.#bases.get(path) ?? new Set([NO_BASE]);
  }

  #visit(value: unknown, path: string, base: string): void {
    if (Array.isArray(value)) {
      value.forEach((item, index) => this.#visit(item, pathTo(path, index), base));
    } else if (isObject(value)) {
      const named = this.#name({ schema: value, path }, base);
      const isReference = stringIn(value, '$ref') !== undefined;
      const own = isReference && this.#draft === 'old' ? base : named;
      const bases = new Set([own, ...(isReference && this.#draft === 'unknown' ? [base] : [])]);
      if (own !== NO_BASE) this.#bases.set(path, bases);
      for (const [keyword, below] of Object.entries(value)) {
        if (!DATA.has(keyword)) this.#visitKeyword(keyword, below, pathTo(path, keyword), own);
      }
    }
  }

  #visitKeyword(keyword: string, value: unknown, path: string, base: string): void {
    if (SCHEMAS.has(keyword)) return this.#visit(value, path, base);
    if (!MAPS.has(keyword) || !isObject(value)) {
      this.#unknown.push(() => this.#visit(value, path, base));
      return;
    }
    for (const [name, item] of Object.entries(value)) this.#visit(item, pathTo(path, name), base);
  }

  /** Remembers a schema by its `$id` and anchors. Returns the base of the references in it. */
  #name(found: Located & { schema: JsonObject }, base: string): string {
    const { schema } = found;
    const own = stringIn(schema, '$id') ?? stringIn(schema, 'id');
    const uri = own === undefined ? base : resolveUri(base, own);
    if (own !== undefined) this.#remember(uri.replace(/#$/, ''), found);
    // Before draft 2019-09, an `$id` that is a fragment was an anchor.
    const inner = own?.startsWith('#') ? base : (uri.split('#', 1)[0] ?? base);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = stringIn(schema, keyword);
      if (anchor !== undefined) this.#remember(`${inner}#${anchor}`, found);
    }
    return inner;
  }

  #remember(uri: string, found: Located): void {
    if (!this.#schemas.has(uri)) this.#schemas.set(uri, found);
  }
}

function stringIn(schema: JsonObject, keyword: string): string | undefined {
  const value = schema[keyword];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A reference as an absolute URI. A text that is not a URI stays as it is. */
function resolveUri(base: string, reference: string): string {
  if (reference === '#') return base;
  if (reference.startsWith('#')) return `${base}${reference}`;
  try {
    return new URL(reference, base).href;
  } catch {
    return reference;
  }
}

/** The schema at a JSON pointer below another schema. */
function pointed(from: Located, pointer: string): Located | undefined {
  let { schema: value, path }: { schema: unknown; path: string } = from;
  for (const key of pointer.split('/').slice(1).map(unescape)) {
    const isIndex = Array.isArray(value) && /^\d+$/.test(key);
    path = pathTo(path, isIndex ? Number(key) : key);
    value = member(value, key);
    if (value === undefined) return undefined;
  }
  return located(value, path);
}

function member(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function unescape(key: string): string {
  let decoded = key;
  try {
    decoded = decodeURIComponent(key);
  } catch {
    // The key is not percent-encoded.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}
