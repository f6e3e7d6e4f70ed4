import { invalidRequest } from '../../../src/core/errors/errors.ts';
import { isTooDeep } from '../../http/parse-value.ts';
import { closedJson } from './cut-json.ts';

/**
 * The JSON of a past call's arguments. Chat templates write them out member by member, so they need an
 * object. Arguments that were cut off, as by `max_tokens`, are closed where they end.
 *
 * @param param - the field of the JSON
 * @throws ApiError 400 if it is not the JSON of an object
 */
export function callArguments(json: string, param: string): string {
  // Some clients send an empty string for a call without arguments.
  const written = json.trim() === '' ? '{}' : json;
  const { whole, value } = parsedWhole(written, param);
  if (isTooDeep(value)) throw invalidRequest(`'${param}' is nested too deeply.`, param);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return whole;
  throw invalidRequest(`'${param}' must be the JSON of an object.`, param);
}

function parsedWhole(json: string, param: string): { whole: string; value: unknown } {
  try {
    return { whole: json, value: JSON.parse(json) as unknown };
  } catch (error) {
    const whole = closedJson(json);
    if (whole !== undefined) return { whole, value: JSON.parse(whole) as unknown };
    const why = error instanceof Error ? ` (${error.message})` : '';
    throw invalidRequest(`'${param}' is not JSON${why}.`, param);
  }
}
