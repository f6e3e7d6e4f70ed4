import type { FileRights } from '../../core/database/database.ts';

const isText = (value: unknown) => typeof value === 'string' && value !== '';

const RULES: Record<string, [is: (value: unknown) => boolean, what: string]> = {
  maxBytes: [(value) => typeof value === 'number' && value > 0, 'a number of bytes above 0'],
  embedder: [isText, 'the id of a model'],
  reranker: [isText, 'the id of a model'],
};

/** What pages with these options may do with stored files. @throws TypeError */
export function readFileRights(files: unknown): FileRights {
  if (files === true) return { owner: 'site' };
  if (typeof files !== 'object' || files === null) {
    throw new TypeError('files must be a boolean or an object.');
  }
  const given = Object.entries(files).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const [is, what] = Object.hasOwn(RULES, name) ? (RULES[name] ?? []) : [];
    if (!is) throw new TypeError(`files has no option '${name}'.`);
    if (!is(value)) throw new TypeError(`files.${name} must be ${what}.`);
  }
  return { owner: 'site', ...Object.fromEntries(given) };
}
