import * as v from 'valibot';
import { content } from '../generation/request/content.ts';
import {
  chatEntries,
  functionEntries,
  generationEntries,
} from '../generation/request/generation-request.ts';
import { reasoningEntries } from './chat-reasoning.ts';
import { requestedFormatEntries } from '../generation/request/requested-format.ts';
import {
  anyObject,
  flag,
  integerFrom,
  nonEmptyText,
  object,
  optional,
  text,
} from '../http/fields.ts';

/** chat-tools.ts checks the rest, which depends on the type. */
const toolSchema = object({
  type: optional(text),
  function: optional(
    object({
      ...functionEntries,
      parameters: optional(anyObject),
    }),
  ),
});

const namedFunction = optional(object({ name: text }));
const allowedTool = object({ type: text, function: namedFunction });
const toolChoiceObject = object({
  type: text,
  function: namedFunction,
  allowed_tools: optional(
    object({
      mode: optional(v.picklist(['auto', 'required'], 'must be auto or required')),
      tools: v.array(allowedTool, 'must be an array'),
    }),
  ),
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
  content: optional(content),
  name: optional(text),
  tool_call_id: optional(text),
  tool_calls: optional(v.array(toolCall, 'must be an array')),
  reasoning: optional(text),
  reasoning_content: optional(text),
  function_call: optional(v.unknown()),
  audio: optional(v.unknown()),
});

export const chatRequestSchema = object(
  {
    ...generationEntries,
    ...chatEntries,
    ...requestedFormatEntries,
    ...reasoningEntries,
    messages: v.array(message, 'must be an array of messages'),
    max_completion_tokens: integerFrom(1),
    tools: optional(v.array(toolSchema, 'must be an array')),
    tool_choice: optional(toolChoice),
    functions: optional(v.unknown()),
    function_call: optional(v.unknown()),
    logprobs: optional(flag),
    audio: optional(v.unknown()),
    moderation: optional(v.unknown()),
    web_search_options: optional(v.unknown()),
    modalities: optional(v.array(text, 'must be an array')),
    continue_final_message: optional(flag),
    add_generation_prompt: optional(flag),
  },
  'must be a JSON object',
);

export type ChatRequest = v.InferOutput<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest['messages'][number];
export type RequestedTool = NonNullable<ChatRequest['tools']>[number];
export type AllowedTool = v.InferOutput<typeof allowedTool>;
