import { isOtherType } from './other-type.ts';

/** The header of an answer that names what was left out of its request. */
export const IGNORED_HEADER = 'x-slashv1-ignored';

/** Most fields in the header. Servers and clients limit its length. */
const MAX_NAMES = 32;
const MAX_TYPE = 64;

/**
 * The fields of a request that a device leaves out, because agents always send them: tools that only a server has, and
 * how it manages the context. Each is named with the tool's type.
 */
export function leftOut(request: {
  tools?: readonly object[] | null | undefined;
  context_management?: unknown;
}): string[] {
  const tools = (request.tools ?? []).flatMap((tool, index) =>
    isOtherType(tool) ? `tools[${index}] (${asToken(tool.unsupported)})` : [],
  );
  return [...tools, ...(request.context_management == null ? [] : ['context_management'])];
}

/** The value of the header. */
export function ignoredHeader(fields: readonly string[]): string {
  const more = fields.length > MAX_NAMES ? [`${fields.length - MAX_NAMES} more`] : [];
  return [...fields.slice(0, MAX_NAMES), ...more].join(', ');
}

/** A type that may stand in a header. */
function asToken(type: string): string {
  return type.slice(0, MAX_TYPE).replaceAll(/[^\w.-]/g, '?');
}
