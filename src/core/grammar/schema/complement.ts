import type { Document } from './document.ts';
import type { Group, Located } from './schema.ts';
import { pathTo, SchemaError } from './schema-error.ts';
import { OBJECT_VIOLATIONS } from './object-violations.ts';
import { VIOLATIONS } from './violations.ts';

const ALL = new Map([...VIOLATIONS, ...OBJECT_VIOLATIONS]);

/**
 * Alternatives for the values that are not valid under a schema.
 *
 * @throws SchemaError for a keyword that is wrong, or whose violations the grammar cannot describe
 */
export function complement(schema: Located, document: Document): Group {
  if (typeof schema.schema === 'boolean') return schema.schema ? [] : [[]];
  const checked = document.read({ ...schema, schema: schema.schema });
  return Object.keys(checked.schema).flatMap((keyword) => {
    const group = ALL.get(keyword)?.(checked, document) ?? [];
    if (group !== 'unknown') return group;
    const at = pathTo(schema.path, keyword);
    throw new SchemaError(at, 'is not supported in a schema that must not hold.');
  });
}
