import * as v from 'valibot';
import { formatEntries, schemaEntries } from '../generation/request/answer-format.ts';
import { content } from '../generation/request/content.ts';
import {
  chatEntries,
  functionEntries,
  mostTokens,
  reasoningEffort,
  samplingEntries,
} from '../generation/request/generation-request.ts';
import { cachingEntries } from '../generation/request/prompt-caching.ts';
import { isFunction, otherType } from '../generation/request/other-type.ts';
import {
  anyObject,
  closedObject,
  flag,
  integerFrom,
  metadata,
  misplaced,
  object,
  optional,
  text,
  typeOf,
} from '../http/fields.ts';
import {
  FILE_SEARCH,
  fileSearchChoice,
  fileSearchEntries,
  fileSearchTool,
} from './file-search/file-search-request.ts';
import { MCP, MCP_ITEMS, mcpChoice, mcpEntries, mcpTool } from './mcp/mcp-request.ts';

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
  ...fileSearchEntries,
  ...mcpEntries,
  tool_calls: optional(v.unknown()),
});

const KNOWN_TYPES = [
  'message',
  'function_call',
  'function_call_output',
  'reasoning',
  'item_reference',
  'file_search_call',
  ...MCP_ITEMS,
];

/** An item of the input. */
export const item = v.lazy((value): typeof itemSchema | typeof otherType =>
  KNOWN_TYPES.includes(typeOf(value) ?? 'message') ? itemSchema : otherType,
);

const plainInput = v.string('must be a string or an array of items');
const items = v.array(item);

/** Picks one of the two schemas, because a union would not report the path inside the items. */
const input = v.lazy((value): typeof plainInput | typeof items =>
  Array.isArray(value) ? items : plainInput,
);

const functionTool = object({
  type: text,
  ...functionEntries(128),
  parameters: optional(anyObject),
  input_schema: misplaced("'parameters'"),
});

type OfferedTool = typeof functionTool | typeof fileSearchTool | typeof mcpTool | typeof otherType;
const tool = v.lazy((value): OfferedTool => {
  if (typeOf(value) === FILE_SEARCH) return fileSearchTool;
  if (typeOf(value) === MCP) return mcpTool;
  return isFunction(value) ? functionTool : otherType;
});

const namedFunction = closedObject({ type: v.literal('function'), name: text });
type OneTool = typeof namedFunction | typeof fileSearchChoice | typeof mcpChoice | typeof otherType;
const oneTool = v.lazy((value): OneTool => {
  if (typeOf(value) === FILE_SEARCH) return fileSearchChoice;
  if (typeOf(value) === MCP) return mcpChoice;
  return isFunction(value) ? namedFunction : otherType;
});
const allowedTools = closedObject({
  type: v.literal('allowed_tools'),
  mode: optional(v.picklist(['auto', 'required'], 'must be auto or required')),
  tools: v.array(oneTool, 'must be an array'),
});
const choiceWord = v.picklist(
  ['none', 'auto', 'required'],
  'must be none, auto, required or an object that names a function',
);
const toolChoice = v.lazy((value): typeof choiceWord | typeof allowedTools | OneTool => {
  if (typeof value !== 'object') return choiceWord;
  switch (typeOf(value)) {
    case 'allowed_tools':
      return allowedTools;
    case 'function':
      return namedFunction;
    case FILE_SEARCH:
      return fileSearchChoice;
    case MCP:
      return mcpChoice;
    default:
      return otherType;
  }
});

const format = object({ ...formatEntries, ...schemaEntries });

/** A conversation's id, alone or in an object. */
const namedConversation = object({ id: text });
const conversation = v.pipe(
  v.lazy((value): typeof text | typeof namedConversation =>
    typeof value === 'string' ? text : namedConversation,
  ),
  v.transform((given) => (typeof given === 'string' ? given : given.id)),
);

export const responseRequestSchema = object(
  {
    ...samplingEntries,
    ...chatEntries,
    input,
    instructions: optional(text),
    store: optional(flag),
    truncation: optional(v.picklist(['auto', 'disabled'], 'must be auto or disabled')),
    max_output_tokens: mostTokens(1),
    tools: optional(v.array(tool, 'must be an array')),
    tool_choice: optional(toolChoice),
    text: optional(closedObject({ format: optional(format), verbosity: optional(v.unknown()) })),
    reasoning: optional(object({ effort: reasoningEffort, summary: optional(text) })),
    include: optional(v.array(text, 'must be an array')),
    metadata: optional(metadata),
    /** How often files are searched and servers are called. */
    max_tool_calls: integerFrom(0),
    ...cachingEntries,
    /** Echoed only: a device has no users. */
    safety_identifier: optional(text),
    user: optional(text),
    previous_response_id: optional(text),
    background: optional(v.boolean()),
    conversation: optional(conversation),
    prompt: optional(v.unknown()),
    context_management: optional(v.unknown()),
    moderation: optional(v.unknown()),
  },
  'must be a JSON object',
);

export type ResponseRequest = v.InferOutput<typeof responseRequestSchema>;
export type InputItem = v.InferOutput<typeof item>;
export type KnownItem = v.InferOutput<typeof itemSchema>;
export type FunctionTool = v.InferOutput<typeof functionTool>;
