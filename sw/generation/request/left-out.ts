import { fieldName } from '../../http/field-name.ts';
import { isOtherType } from './other-type.ts';

/** The header of an answer that names what was left out of its request. */
export const IGNORED_HEADER = 'x-slashv1-ignored';

/** Most fields in the header. Servers and clients limit its length. */
const MAX_NAMES = 32;
const MAX_TYPE = 64;

/** A field that is left out. */
export interface LeftOut {
  path: readonly (string | number)[];
  /** The type of a tool, as the request names it. */
  type?: string;
}

/**
 * The fields of a request that a device leaves out, because agents always send them: tools that only a server has, and
 * how it manages the context.
 */
export function leftOut(request: {
  tools?: readonly object[] | null | undefined;
  context_management?: unknown;
}): LeftOut[] {
  const tools = (request.tools ?? []).flatMap((tool, index) =>
    isOtherType(tool) ? { path: ['tools', index], type: tool.unsupported } : [],
  );
  return [
    ...tools,
    ...(request.context_management == null ? [] : [{ path: ['context_management'] }]),
  ];
}

/** The value of the header: `tools[0] (local_shell), context_management`. */
export function ignoredHeader(fields: readonly LeftOut[]): string {
  const names = fields.slice(0, MAX_NAMES).map(({ path, type }) => {
    const name = fieldName(path);
    return type === undefined ? name : `${name} (${asToken(type)})`;
  });
  const more = fields.length > MAX_NAMES ? [`${fields.length - MAX_NAMES} more`] : [];
  return [...names, ...more].join(', ');
}

/** A type that may stand in a header. */
function asToken(type: string): string {
  return type.slice(0, MAX_TYPE).replaceAll(/[^\w.-]/g, '?');
}
