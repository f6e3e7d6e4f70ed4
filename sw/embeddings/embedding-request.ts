import * as v from 'valibot';
import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import { integerFrom, model, object, optional } from '../http/fields.ts';

/** Most texts of a request. */
const MOST_TEXTS = 2_048;

export const embeddingRequestSchema = object(
  {
    model,
    input: v.unknown(),
    encoding_format: optional(v.picklist(['float', 'base64'], 'must be float or base64')),
    dimensions: integerFrom(1),
    input_type: optional(v.picklist(['query', 'document'], 'must be query or document')),
  },
  'must be a JSON object',
);

/** The texts of `input`. @throws ApiError 400 that names the first invalid text */
export function textsOf(input: unknown): string[] {
  if (input == null) throw invalidRequest("'input' is required.", 'input');
  if (!Array.isArray(input)) return [textAt(input, 'input')];
  const texts: unknown[] = input;
  if (texts.length === 0)
    throw invalidRequest("'input' must not be empty.", 'input', 'empty_array');
  if (texts.length > MOST_TEXTS) {
    throw invalidRequest(`'input' must have at most ${MOST_TEXTS} texts.`, 'input');
  }
  if (typeof texts[0] === 'number' || Array.isArray(texts[0])) throw noTokens();
  return texts.map((text, index) => textAt(text, `input[${index}]`));
}

function textAt(text: unknown, param: string): string {
  if (typeof text !== 'string') throw invalidRequest(`'${param}' must be a string.`, param);
  if (text === '') throw invalidRequest(`'${param}' must not be empty.`, param);
  return text;
}

function noTokens() {
  return unsupportedValue(
    "'input' must be text: tokens of another model's tokenizer would give wrong vectors. With LangChain for " +
      'Python, set check_embedding_ctx_length=False.',
    'input',
  );
}
