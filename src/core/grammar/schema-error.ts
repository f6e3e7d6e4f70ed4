import { invalidRequest, type ApiError } from '../protocol/errors.ts';

/** 400: a JSON Schema is invalid or asks for something that cannot be enforced. `path` says where. */
export function invalidSchema(path: string, message: string): ApiError {
  return invalidRequest(`'${path}' ${message}`, path, 'invalid_json_schema');
}

/** Extends a path: to `schema.properties.age`, `schema.anyOf[0]`, `schema.properties["a b"]`. */
export function pathTo(path: string, ...keys: (string | number)[]): string {
  return keys.reduce<string>((at, key) => {
    if (typeof key === 'number') return `${at}[${key}]`;
    return /^[\w$-]+$/.test(key) ? `${at}.${key}` : `${at}[${JSON.stringify(key)}]`;
  }, path);
}
