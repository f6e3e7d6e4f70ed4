import { Float } from './values.ts';

/** What browsers tell a reviver of JSON.parse about a value; older ones tell nothing. */
interface Source {
  source?: string;
}

/**
 * The values of a call's arguments, with their numbers as they were written: templates write them out again.
 * Arguments that were cut are no JSON; their text is returned, which templates write as it is.
 */
export function argumentsOf(json: string): unknown {
  try {
    return JSON.parse(json, asWritten) as unknown;
  } catch {
    return json;
  }
}

function asWritten(_: string, value: unknown, context?: Source): unknown {
  const { source } = context ?? {};
  if (typeof value !== 'number' || source === undefined) return value;
  if (/[.eE]/.test(source)) return new Float(value);
  return Number.isSafeInteger(value) ? value : BigInt(source);
}
