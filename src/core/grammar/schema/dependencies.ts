import { derive, isObject, located, type Checked, type Group, type Located } from './schema.ts';
import { pathTo } from './schema-error.ts';

const KEYWORDS = ['dependencies', 'dependentRequired', 'dependentSchemas'];

/** A group for each member with a dependency: the member is absent, or its dependency holds. */
export function dependencies(checked: Checked): Group[] {
  return KEYWORDS.flatMap((keyword) => {
    const value = checked.schema[keyword];
    return Object.entries(isObject(value) ? value : {}).map(([name, asked]) => {
      const origin: Located = { schema: true, path: pathTo(checked.path, keyword, name) };
      const holds = Array.isArray(asked)
        ? derive(origin, 'names', { required: asked })
        : located(asked, origin.path);
      return [[absence(origin, name)], [presence(origin, name), holds]];
    });
  });
}

/** Holds for all values but objects with such a member. */
export function absence(origin: Located, name: string): Located {
  return derive(origin, `no ${name}`, { properties: { [name]: false } });
}

/** Holds for objects with such a member. */
export function presence(origin: Located, name: string): Located {
  return derive(origin, `a ${name}`, { type: 'object', required: [name] });
}
