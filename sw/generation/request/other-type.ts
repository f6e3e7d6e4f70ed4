import * as v from 'valibot';
import { unsupportedValue, type ApiError } from '../../../src/core/errors/errors.ts';
import { object, text, typeOf } from '../../http/fields.ts';

/** An item, a block or a tool of another type. Only the type is kept, because its fields may have any shape. */
export const otherType = v.pipe(
  object({ type: text }),
  v.transform(({ type }) => ({ unsupported: type })),
);

export type OtherType = v.InferOutput<typeof otherType>;

/**
 * Tools that agents always send and a device has not. They are left out: the model uses the others. Tools that bring what
 * an answer needs, such as files or servers, are refused.
 */
const LEFT_OUT =
  /^(?:web_search|web_fetch|local_shell|shell|apply_patch|custom|tool_search|image_generation)(?:_|$)/;

/** The tools of a request. @throws ApiError 400 for tools of other types that are not left out */
export function checkedTools<T extends object>(tools: readonly T[] | null | undefined): T[] {
  return (tools ?? []).map((tool, index) => {
    isLeftOut(tool, `tools[${index}]`);
    return tool;
  });
}

/** Whether this is a tool that is left out. @throws ApiError 400 for other types, which names the field */
export function isLeftOut(tool: object, field: string): tool is OtherType {
  if (!isOtherType(tool)) return false;
  if (LEFT_OUT.test(tool.unsupported)) return true;
  throw unsupportedValue(`A tool of type '${tool.unsupported}' is not supported.`, `${field}.type`);
}

/** A `tool_choice` of another type. */
export function unsupportedChoice({ unsupported }: OtherType): ApiError {
  return unsupportedValue(
    `A tool_choice of type '${unsupported}' is not supported.`,
    'tool_choice.type',
  );
}

/** Whether a tool, or what chooses one, is a function: its type may be missing. */
export function isFunction(value: unknown): boolean {
  return (typeOf(value) ?? 'function') === 'function';
}

export function isOtherType(value: object): value is OtherType {
  return 'unsupported' in value;
}
