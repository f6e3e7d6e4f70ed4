import * as v from 'valibot';
import { formatEntries, schemaEntries } from '../generation/request/answer-format.ts';
import { content } from '../generation/request/content.ts';
import {
  chatEntries,
  functionEntries,
  reasoningEffort,
  samplingEntries,
} from '../generation/request/generation-request.ts';
import { anyObject, flag, integerFrom, object, optional, text, typeOf } from '../http/fields.ts';

/** An input item. response-items.ts checks the rest, which depends on the type. */
const itemSchema = object({
  type: optional(text),
  id: optional(text),
  role: optional(
    v.picklist(
      ['user', 'assistant', 'system', 'developer'],
      'must be one of user, assistant, system, developer',
    ),
  ),
  content: optional(content),
  call_id: optional(text),
  name: optional(text),
  arguments: optional(text),
  output: optional(content),
  summary: optional(v.array(object({ text }), 'must be an array')),
  encrypted_content: optional(text),
});

/** An item or a tool of another type. Only the type is kept, because its fields may have any shape. */
const unsupported = v.pipe(
  object({ type: text }),
  v.transform(({ type }) => ({ unsupported: type })),
);

const KNOWN_TYPES = [
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
];

/** An item of the input. */
export const item = v.lazy((value): typeof itemSchema | typeof unsupported =>
  KNOWN_TYPES.includes(typeOf(value) ?? 'message') ? itemSchema : unsupported,
);

const plainInput = v.string('must be a string or an array of items');
const items = v.array(item);

/** Picks one of the two schemas, because a union would not report the path inside the items. */
const input = v.lazy((value): typeof plainInput | typeof items =>
  Array.isArray(value) ? items : plainInput,
);

/** response-tools.ts checks the rest, which depends on the type. */
const functionTool = object({
  type: text,
  ...functionEntries,
  parameters: optional(anyObject),
});

const tool = v.lazy((value): typeof functionTool | typeof unsupported =>
  (typeOf(value) ?? 'function') === 'function' ? functionTool : unsupported,
);

const allowedTool = object({ type: text, name: optional(text) });
const choiceObject = object({
  type: text,
  name: optional(text),
  mode: optional(v.picklist(['auto', 'required'], 'must be auto or required')),
  tools: optional(v.array(allowedTool, 'must be an array')),
});
const choiceWord = v.picklist(
  ['none', 'auto', 'required'],
  'must be none, auto, required or an object that names a function',
);
const toolChoice = v.lazy((value): typeof choiceWord | typeof choiceObject =>
  typeof value === 'object' ? choiceObject : choiceWord,
);

const metadata = v.pipe(
  anyObject,
  v.check(
    (value) => Object.values(value).every((each) => typeof each === 'string'),
    'must have strings as values',
  ),
);

export const responseRequestSchema = object(
  {
    ...samplingEntries,
    ...chatEntries,
    input,
    instructions: optional(text),
    store: optional(flag),
    truncation: optional(v.picklist(['auto', 'disabled'], 'must be auto or disabled')),
    max_output_tokens: integerFrom(1),
    tools: optional(v.array(tool, 'must be an array')),
    tool_choice: optional(toolChoice),
    text: optional(object({ format: optional(object({ ...formatEntries, ...schemaEntries })) })),
    reasoning: optional(object({ effort: reasoningEffort, summary: optional(text) })),
    include: optional(v.array(text, 'must be an array')),
    metadata: optional(metadata),
    previous_response_id: optional(text),
    background: optional(v.unknown()),
    conversation: optional(v.unknown()),
    prompt: optional(v.unknown()),
    context_management: optional(v.unknown()),
    moderation: optional(v.unknown()),
  },
  'must be a JSON object',
);

export type ResponseRequest = v.InferOutput<typeof responseRequestSchema>;
export type InputItem = v.InferOutput<typeof item>;
export type KnownItem = v.InferOutput<typeof itemSchema>;
export type AllowedTool = v.InferOutput<typeof allowedTool>;
export type RequestedTool = NonNullable<ResponseRequest['tools']>[number];
