import * as v from 'valibot';
import { type ApiError, invalidRequest, unsupportedValue } from '../../src/core/protocol/errors.ts';
import { object, optional, text } from '../http/fields.ts';

/** `text` and `refusal` are checked when the part is read: other types have neither. */
const contentPart = object({
  type: text,
  text: optional(v.unknown()),
  refusal: optional(v.unknown()),
});

const plain = v.string('must be a string or an array of content parts');
const parts = v.array(contentPart);

/** A message's content. A union would not report the path inside the parts. */
export const content = v.lazy((value): typeof plain | typeof parts =>
  Array.isArray(value) ? parts : plain,
);

export type Content = v.InferOutput<typeof content>;

/**
 * The text of a message's content.
 *
 * @param field - of the content
 * @param textTypes - types of parts whose field `text` is their text
 * @param typeField - what an error about a part's type adds to the part's path
 * @throws ApiError 400 for parts that are not text
 */
export function joinContent(
  value: Content,
  field: string,
  textTypes: readonly string[],
  typeField = '',
): string {
  if (typeof value === 'string') return value;
  return value
    .map((part, index) => {
      const at = `${field}[${index}]`;
      const key = textTypes.includes(part.type) ? 'text' : 'refusal';
      if (key === 'refusal' && part.type !== 'refusal') {
        throw unsupportedPart(part.type, at + typeField);
      }
      const written = part[key];
      if (typeof written === 'string') return written;
      throw invalidRequest(`'${at}.${key}' must be a string.`, `${at}.${key}`);
    })
    .join('');
}

function unsupportedPart(type: string, param: string): ApiError {
  return type.includes('image')
    ? unsupportedValue('This model does not see images.', param)
    : unsupportedValue(`A content part of type '${type}' is not supported.`, param);
}
