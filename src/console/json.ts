/** Whether a value of JSON is an object or a list. */
export function hasMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A member of anything that came over the wire; undefined if it has none of that name. */
export function member(value: unknown, name: string): unknown {
  if (!hasMembers(value)) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

/** The value of a JSON text; undefined: it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON that is nested deeper is not indented: with indentation, its length grows with the square of its depth. */
const MOST_DEPTH = 100;

/** A value as JSON, with a line for each member. */
export function indentedJson(value: unknown): string {
  return JSON.stringify(value, null, isDeeper(value, MOST_DEPTH) ? 0 : 2);
}

/** JSON with a line for each member; text that is not JSON, or is nested deeply, stays unchanged. */
export function readableJson(text: string): string {
  const value = parsed(text);
  return value === undefined || isDeeper(value, MOST_DEPTH) ? text : indentedJson(value);
}

function isDeeper(value: unknown, depth: number): boolean {
  if (!hasMembers(value)) return false;
  return depth === 0 || Object.values(value).some((each) => isDeeper(each, depth - 1));
}
