import { derive, embed, type Located } from './schema.ts';

/** The schema that holds wherever another does not. */
export function negation(schema: Located): Located {
  if (typeof schema.schema === 'boolean') {
    return { schema: !schema.schema, path: `${schema.path} not` };
  }
  return derive(schema, 'not', { not: embed(schema) });
}
