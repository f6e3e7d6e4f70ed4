import { invalidRequest } from '../../../src/core/errors/errors.ts';
import { isTooDeep } from '../../http/parse-value.ts';

/**
 * The JSON of a past call's arguments. Chat templates write them out member by member, so they need an
 * object.
 *
 * @param param - the field of the JSON
 * @throws ApiError 400 if it is not the JSON of an object
 */
export function callArguments(json: string, param: string): string {
  // Some clients send an empty string for a call without arguments.
  const written = json.trim() === '' ? '{}' : json;
  const value = parseJson(written, param);
  if (isTooDeep(value)) throw invalidRequest(`'${param}' is nested too deeply.`, param);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return written;
  throw invalidRequest(`'${param}' must be the JSON of an object.`, param);
}

function parseJson(json: string, param: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const why = error instanceof Error ? ` (${error.message})` : '';
    throw invalidRequest(`'${param}' is not JSON${why}.`, param);
  }
}
