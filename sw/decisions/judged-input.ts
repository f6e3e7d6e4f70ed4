import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { RequestedImage } from '../../src/core/operations/jobs/jobs.ts';
import { required } from '../http/parse-value.ts';
import { joinContent } from '../generation/request/content.ts';
import type { DecisionItem } from './decision-request.ts';

/** The parts of a content that is judged, or that says what to judge. */
export const PARTS = {
  text: ['input_text', 'output_text', 'text'],
  image: 'input_image',
  json: 'input_json',
  field: '.type',
};

/**
 * The input as one text: it is evidence, so the model does not read it as a conversation of its own.
 *
 * @param images - the input's images are added to these
 * @throws ApiError 400, which names the field
 */
export function judgedInput(
  input: string | readonly DecisionItem[],
  images: RequestedImage[],
): string {
  if (typeof input === 'string') return input;
  if (input.length === 0) {
    throw invalidRequest("'input' must not be empty.", 'input', 'empty_array');
  }
  const called = new Map<string, string>();
  const texts = input.map((item, at) => itemText(item, `input[${at}]`, images, called));
  const [only] = texts;
  const isPlain = input.length === 1 && only?.speaker === 'user';
  return isPlain ? only.text : texts.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');
}

/** @param called - the names of the calls so far, by their ids */
function itemText(
  item: DecisionItem,
  field: string,
  images: RequestedImage[],
  called: Map<string, string>,
): { speaker: string; text: string } {
  const contentOf = (name: 'content' | 'output', shown: RequestedImage[] | undefined) => {
    const param = `${field}.${name}`;
    return joinContent(required(item[name], param), param, PARTS, shown);
  };
  switch (item.type ?? 'message') {
    case 'message': {
      const role = required(item.role, `${field}.role`);
      return { speaker: role, text: contentOf('content', role === 'user' ? images : undefined) };
    }
    case 'function_call':
    case 'custom_tool_call': {
      const name = required(item.name, `${field}.name`);
      called.set(required(item.call_id, `${field}.call_id`), name);
      const given = item.type === 'function_call' ? item.arguments : item.input;
      return { speaker: 'assistant', text: `calls ${name}(${given ?? ''})` };
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const id = required(item.call_id, `${field}.call_id`);
      const name = called.get(id);
      if (name === undefined) {
        const message = `'${field}.call_id' is '${id}', which no item before it has called.`;
        throw invalidRequest(message, `${field}.call_id`);
      }
      return { speaker: `result of ${name}`, text: contentOf('output', images) };
    }
    default: {
      const message = `An input item of type '${item.type}' is not supported.`;
      throw unsupportedValue(message, `${field}.type`);
    }
  }
}
