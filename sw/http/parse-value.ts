import * as v from 'valibot';
import { invalidRequest, tooManyValues } from '../../src/core/errors/errors.ts';
import { fieldName } from './field-name.ts';

/** Values that are nested deeper can be neither sent to the engine nor rendered. */
const MAX_LEVELS = 200;

export function isTooDeep(value: unknown, levels = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((child) => isTooDeep(child, levels - 1));
}

/** A body of more values holds up all other requests while it is checked. No model can read so much. */
const MAX_VALUES = 200_000;

/** @throws ApiError 400 for a body that is nested too deeply, 413 for one with too many values */
export function checkShape(value: unknown): void {
  if (isTooDeep(value)) tooDeep();
  if (valuesIn(value, MAX_VALUES) > MAX_VALUES) throw tooManyValues(MAX_VALUES);
}

/** How many values a value has, itself included; more than `most` are not counted. */
export function valuesIn(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const child of Object.values(value)) {
    count += valuesIn(child, most - count);
    if (count > most) return count;
  }
  return count;
}

/** @throws ApiError 400 */
export function tooDeep(): never {
  throw invalidRequest('The request body is nested too deeply.');
}

/**
 * A request's parameters, parsed by the schema.
 *
 * @throws ApiError 400 with the path of the first offending field
 */
export function parseValue<S extends v.GenericSchema>(value: unknown, schema: S): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const { message, path } = faultOf(result.issues[0]);
  throw invalidRequest(message, path);
}

/** A value that its schema lets be absent. @throws ApiError 400 that names the field */
export function required<T>(value: T | null | undefined, field: string): T {
  if (value != null) return value;
  throw invalidRequest(`'${field}' is required.`, field);
}

/**
 * The message about an issue, and the field that it is about.
 *
 * @param within - the field of the value that has the issue; undefined: it is the body
 */
export function faultOf(
  issue: v.BaseIssue<unknown>,
  within?: string,
): { message: string; path: string | null } {
  const path = [within, fieldPath(issue)].filter(Boolean).join('.') || null;
  const fault = issue.input === undefined ? 'is required' : issue.message;
  return { message: path ? `'${path}' ${fault}.` : `The request body ${issue.message}.`, path };
}

/** The field as the OpenAI API writes it: `messages[1].content`; null for the body as a whole. */
function fieldPath(issue: v.BaseIssue<unknown>): string | null {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  return fieldName(path) || null;
}
