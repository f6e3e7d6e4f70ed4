import * as v from 'valibot';
import { content } from '../generation/request/content.ts';
import {
  chatEntries,
  functionEntries,
  generationEntries,
  mostTokens,
} from '../generation/request/generation-request.ts';
import { reasoningEntries } from './chat-reasoning.ts';
import { spokenEntries } from './spoken/asked-speech.ts';
import { isFunction, otherType } from '../generation/request/other-type.ts';
import { breakpoint, cachingEntries } from '../generation/request/prompt-caching.ts';
import { requestedFormatEntries } from '../generation/request/requested-format.ts';
import {
  anyObject,
  closedObject,
  flag,
  misplaced,
  nonEmptyText,
  object,
  optional,
  text,
  typeOf,
} from '../http/fields.ts';

const functionTool = object({
  type: optional(text),
  function: object({
    ...functionEntries(64),
    parameters: optional(anyObject),
    input_schema: misplaced("'parameters'"),
  }),
  parameters: optional(v.unknown()),
});
const tool = v.lazy((value): typeof functionTool | typeof otherType =>
  isFunction(value) ? functionTool : otherType,
);

const namedFunction = closedObject({
  type: v.literal('function'),
  function: closedObject({ name: text }),
});
const allowedTool = v.lazy((value): typeof namedFunction | typeof otherType =>
  isFunction(value) ? namedFunction : otherType,
);
const allowedTools = closedObject({
  type: v.literal('allowed_tools'),
  allowed_tools: closedObject({
    mode: optional(v.picklist(['auto', 'required'], 'must be auto or required')),
    tools: v.array(allowedTool, 'must be an array'),
  }),
});
type ChoiceObject = typeof namedFunction | typeof allowedTools | typeof otherType;

const toolChoiceWord = v.picklist(
  ['none', 'auto', 'required'],
  'must be none, auto, required or an object that names a function',
);

/** Picks one of the two schemas, because a union would not report the path inside the object. */
const toolChoice = v.lazy((value): typeof toolChoiceWord | ChoiceObject => {
  if (typeof value !== 'object') return toolChoiceWord;
  if (typeOf(value) === 'allowed_tools') return allowedTools;
  return typeOf(value) === 'function' ? namedFunction : otherType;
});

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
  audio: optional(object({ id: nonEmptyText })),
});

const predictedText = v.string('must be a string or an array of text parts');
const predictedParts = v.array(
  object({
    type: v.literal('text', 'must be text'),
    text,
    prompt_cache_breakpoint: breakpoint,
  }),
);
const prediction = object({
  type: v.literal('content', 'must be content'),
  content: v.lazy((value): typeof predictedText | typeof predictedParts =>
    Array.isArray(value) ? predictedParts : predictedText,
  ),
});

export const chatRequestEntries = {
  ...generationEntries,
  ...chatEntries,
  ...requestedFormatEntries,
  ...reasoningEntries,
  messages: v.array(message, 'must be an array of messages'),
  max_completion_tokens: mostTokens(1),
  tools: optional(v.array(tool, 'must be an array')),
  tool_choice: optional(toolChoice),
  functions: optional(v.unknown()),
  function_call: optional(v.unknown()),
  logprobs: optional(flag),
  prediction: optional(prediction),
  ...cachingEntries,
  ...spokenEntries,
  moderation: optional(v.unknown()),
  web_search_options: optional(v.unknown()),
  continue_final_message: optional(flag),
  add_generation_prompt: optional(flag),
};

export const chatRequestSchema = object(chatRequestEntries, 'must be a JSON object');

export type ChatRequest = v.InferOutput<typeof chatRequestSchema>;
export type ChatMessage = ChatRequest['messages'][number];
