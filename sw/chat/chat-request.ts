import * as v from 'valibot';
import { generationEntries } from '../generation/generation-request.ts';
import {
  anyObject,
  flag,
  integerFrom,
  integerIn,
  nonEmptyText,
  object,
  optional,
  text,
} from '../http/fields.ts';

/** The OpenAI API's own limit. */
const MAX_TOP_LOGPROBS = 20;

/** `text` and `refusal` are checked when the part is read: other types have neither. */
const contentPart = object({
  type: text,
  text: v.optional(v.unknown()),
  refusal: v.optional(v.unknown()),
});

/** tool-offer.ts checks the rest, which depends on the type. */
const toolSchema = object({
  type: optional(text),
  function: optional(
    object({
      name: v.pipe(
        text,
        v.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, underscores and dashes'),
      ),
      description: optional(text),
      parameters: optional(anyObject),
      strict: optional(flag),
    }),
  ),
});

const toolChoiceObject = object({
  type: text,
  function: optional(object({ name: text })),
});

const toolChoiceWord = v.picklist(
  ['none', 'auto', 'required'],
  'must be none, auto, required or an object that names a function',
);

/** Picks one of the two schemas, because a union would not report the path inside the object. */
const toolChoice = v.lazy((value): typeof toolChoiceWord | typeof toolChoiceObject =>
  typeof value === 'object' ? toolChoiceObject : toolChoiceWord,
);

const toolCall = object({
  id: nonEmptyText,
  type: optional(text),
  function: optional(
    object({
      name: nonEmptyText,
      arguments: v.string('must be a string of JSON'),
    }),
  ),
});

const message = object({
  role: v.picklist(
    ['system', 'developer', 'user', 'assistant', 'tool'],
    'must be one of system, developer, user, assistant, tool',
  ),
  content: optional(
    v.union([v.string(), v.array(contentPart)], 'must be a string or an array of content parts'),
  ),
  name: optional(text),
  tool_call_id: optional(text),
  tool_calls: optional(v.array(toolCall, 'must be an array')),
  function_call: optional(v.unknown()),
  audio: optional(v.unknown()),
});

const responseFormat = object({
  type: v.picklist(
    ['text', 'json_object', 'json_schema'],
    'must be one of text, json_object, json_schema',
  ),
  /** Beside json_object, as in llama.cpp's server and vLLM. */
  schema: optional(v.unknown()),
  json_schema: optional(
    object({
      name: optional(text),
      schema: optional(v.unknown()),
      strict: optional(flag),
    }),
  ),
});

export const chatRequestSchema = object(
  {
    ...generationEntries,
    messages: v.array(message, 'must be an array of messages'),
    max_completion_tokens: integerFrom(1),
    tools: optional(v.array(toolSchema, 'must be an array')),
    tool_choice: optional(toolChoice),
    parallel_tool_calls: optional(flag),
    functions: optional(v.unknown()),
    function_call: optional(v.unknown()),
    response_format: optional(responseFormat),
    logprobs: optional(flag),
    top_logprobs: integerIn(0, MAX_TOP_LOGPROBS),
    audio: optional(v.unknown()),
    moderation: optional(v.unknown()),
    web_search_options: optional(v.unknown()),
    modalities: optional(v.array(text, 'must be an array')),
    reasoning_effort: optional(
      v.picklist(
        ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'],
        'must be one of none, minimal, low, medium, high, xhigh, max',
      ),
    ),
    chat_template_kwargs: optional(anyObject),
  },
  'must be a JSON object',
);

export type ChatRequest = v.InferOutput<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest['messages'][number];
export type RequestedTool = NonNullable<ChatRequest['tools']>[number];
