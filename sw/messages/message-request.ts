import * as v from 'valibot';
import { functionEntries, reasoningEffort } from '../generation/request/generation-request.ts';
import { cacheControl } from '../generation/request/prompt-caching.ts';
import { otherType } from '../generation/request/other-type.ts';
import {
  anyObject,
  atLeast,
  closedObject,
  flag,
  integerFrom,
  model,
  nonEmptyText,
  numberIn,
  object,
  optional,
  text,
  typeOf,
} from '../http/fields.ts';

/** Where the prompt is kept up to the end of the block. */
const kept = { cache_control: cacheControl };

const textBlock = object({ type: v.picklist(['text']), text, ...kept });
const imageBlock = object({
  type: v.picklist(['image']),
  source: object({ type: text, data: optional(text), url: optional(text) }),
  ...kept,
});

/** A block of a tool's result. */
const resultBlock = v.lazy((value): typeof textBlock | typeof imageBlock | typeof otherType => {
  const type = typeOf(value) ?? 'text';
  if (type === 'text') return textBlock;
  return type === 'image' ? imageBlock : otherType;
});

/** A string, or blocks. A union would not report the path inside the blocks. */
function textOr<S extends v.GenericSchema>(block: S) {
  const plain = v.string('must be a string or an array of content blocks');
  const blocks = v.array(block);
  return v.lazy((value): typeof plain | typeof blocks => (Array.isArray(value) ? blocks : plain));
}

const toolUse = object({
  type: v.picklist(['tool_use']),
  id: nonEmptyText,
  name: nonEmptyText,
  input: optional(anyObject),
  ...kept,
});
const toolResult = object({
  type: v.picklist(['tool_result']),
  tool_use_id: nonEmptyText,
  content: optional(textOr(resultBlock)),
  is_error: optional(flag),
  ...kept,
});
const thinking = object({ type: v.picklist(['thinking']), thinking: text, ...kept });
const redacted = object({ type: v.picklist(['redacted_thinking']), ...kept });

const BLOCKS = {
  text: textBlock,
  image: imageBlock,
  tool_use: toolUse,
  tool_result: toolResult,
  thinking,
  redacted_thinking: redacted,
};

type AnyBlock = (typeof BLOCKS)[keyof typeof BLOCKS] | typeof otherType;

const block = v.lazy((value): AnyBlock => {
  const type = typeOf(value) ?? 'text';
  const known: Record<string, AnyBlock> = BLOCKS;
  return Object.hasOwn(known, type) ? (known[type] ?? otherType) : otherType;
});

const message = object({
  role: v.picklist(['user', 'assistant', 'system'], 'must be user or assistant'),
  content: textOr(block),
});

/** A tool of the caller. Its type may be missing. */
const customTool = object({
  type: optional(text),
  ...functionEntries(128),
  input_schema: anyObject,
  ...kept,
});
const tool = v.lazy((value): typeof customTool | typeof otherType =>
  (typeOf(value) ?? 'custom') === 'custom' ? customTool : otherType,
);

const parallel = { disable_parallel_tool_use: optional(flag) };
const namedTool = closedObject({ type: v.literal('tool'), name: text, ...parallel });
const anyTool = closedObject({
  type: v.picklist(['auto', 'any', 'none'], 'must be one of auto, any, tool, none'),
  ...parallel,
});
const toolChoice = v.lazy((value): typeof namedTool | typeof anyTool =>
  typeOf(value) === 'tool' ? namedTool : anyTool,
);

const format = optional(
  object({
    type: v.picklist(['json_schema'], 'must be json_schema'),
    schema: optional(v.unknown()),
  }),
);

/** What counting the tokens of a request needs. */
const countedEntries = {
  model,
  messages: v.array(message, 'must be an array of messages'),
  system: optional(textOr(textBlock)),
  tools: optional(v.array(tool, 'must be an array')),
  tool_choice: optional(toolChoice),
  thinking: optional(
    object({
      type: v.picklist(
        ['enabled', 'adaptive', 'disabled'],
        'must be one of enabled, adaptive, disabled',
      ),
      budget_tokens: integerFrom(1),
      display: optional(text),
    }),
  ),
  output_config: optional(
    closedObject({
      format,
      effort: reasoningEffort,
      task_budget: optional(v.unknown()),
    }),
  ),
  output_format: format,
  thread: optional(v.unknown()),
  mcp_servers: optional(v.array(v.unknown(), 'must be an array')),
  container: optional(v.unknown()),
  context_management: optional(v.unknown()),
  ...kept,
};

export const countRequestSchema = object(countedEntries, 'must be a JSON object');

export const messageRequestSchema = object(
  {
    ...countedEntries,
    max_tokens: atLeast(1),
    temperature: numberIn(0, 2),
    top_p: numberIn(0, 1),
    top_k: integerFrom(-1),
    stop_sequences: optional(v.array(text, 'must be an array')),
    stream: optional(flag),
  },
  'must be a JSON object',
);

export type CountRequest = v.InferOutput<typeof countRequestSchema>;
export type MessageRequest = v.InferOutput<typeof messageRequestSchema>;
export type RequestedMessage = MessageRequest['messages'][number];
export type ImageSource = v.InferOutput<typeof imageBlock>['source'];
export type Block = Exclude<RequestedMessage['content'], string>[number];
export type RequestedTool = NonNullable<MessageRequest['tools']>[number];
