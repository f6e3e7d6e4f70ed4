import { isObject, located, type Checked, type Located } from './schema.ts';
import { invalidSchema, pathTo } from './schema-error.ts';

/**
 * The schema that a `$ref` points to.
 *
 * @throws ApiError 400 if the reference points to nothing or out of the document
 */
export function resolveReference(root: Located, from: Checked, reference: string): Located {
  const at = pathTo(from.path, '$ref');
  const pointer = pointerOf(root, reference);
  if (pointer === undefined) {
    throw invalidSchema(at, "must be '#' or begin with '#/': other references are not supported.");
  }
  let { schema: value, path }: { schema: unknown; path: string } = root;
  for (const key of pointer.split('/').slice(1).map(unescape)) {
    const isIndex = Array.isArray(value) && /^\d+$/.test(key);
    path = pathTo(path, isIndex ? Number(key) : key);
    value = member(value, key);
    if (value === undefined)
      throw invalidSchema(at, `points to a schema that does not exist: '${reference}'.`);
  }
  return located(value, path);
}

/**
 * The JSON pointer of a reference, which may begin with the document's own `$id`; undefined for any other
 * kind of reference.
 */
function pointerOf({ schema }: Located, reference: string): string | undefined {
  const id = typeof schema === 'object' ? schema['$id'] : undefined;
  const local =
    typeof id === 'string' && id !== '' && reference.startsWith(id)
      ? reference.slice(id.length) || '#'
      : reference;
  return /^#(\/|$)/.test(local) ? local.slice(1) : undefined;
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
