/**
 * What Open Responses, a specification of the Responses API for many servers, demands of answers and events: the fields
 * of its schema that text models use. Unlike OpenAI's description it demands nearly all of them.
 */
import { z } from 'zod';

const index = z.int();
const status = z.enum(['in_progress', 'completed', 'incomplete']);

const chance = z.object({ token: z.string(), logprob: z.number(), bytes: z.array(index) });
const logprobs = z.array(chance.extend({ top_logprobs: z.array(chance) }));

const outputText = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: logprobs.optional(),
});
const summaryText = z.object({ type: z.literal('summary_text'), text: z.string() });
const reasoningText = z.object({ type: z.literal('reasoning_text'), text: z.string() });

const item = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('message'),
    id: z.string(),
    status,
    role: z.literal('assistant'),
    content: z.array(outputText),
  }),
  z.object({
    type: z.literal('function_call'),
    id: z.string(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status,
  }),
  z.object({
    type: z.literal('reasoning'),
    id: z.string(),
    summary: z.array(summaryText),
    content: z.array(reasoningText).nullish(),
    encrypted_content: z.string().nullish(),
  }),
]);

const tool = z.object({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullable(),
  parameters: z.record(z.string(), z.unknown()).nullable(),
  strict: z.boolean().nullable(),
});

const mode = z.enum(['none', 'auto', 'required']);
const chosen = z.object({ type: z.literal('function'), name: z.string().optional() });

const format = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    name: z.string(),
    description: z.string().nullable(),
    schema: z.record(z.string(), z.unknown()).nullable(),
    strict: z.boolean(),
  }),
]);

const usage = z.object({
  input_tokens: index,
  output_tokens: index,
  total_tokens: index,
  input_tokens_details: z.object({ cached_tokens: index }),
  output_tokens_details: z.object({ reasoning_tokens: index }),
});

const error = z.object({
  type: z.string(),
  code: z.string().nullable(),
  message: z.string(),
  param: z.string().nullable(),
});

/** A whole answer, or one that has just begun. */
export const openResponse = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: index,
  completed_at: index.nullable(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(item),
  error: error.nullable(),
  tools: z.array(tool),
  tool_choice: z.union([
    mode,
    chosen,
    z.object({ type: z.literal('allowed_tools'), mode, tools: z.array(chosen) }),
  ]),
  truncation: z.enum(['auto', 'disabled']),
  parallel_tool_calls: z.boolean(),
  text: z.object({ format }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: index,
  temperature: z.number(),
  reasoning: z.object({
    effort: z.enum(['none', 'low', 'medium', 'high', 'xhigh']).nullable(),
    summary: z.enum(['concise', 'detailed', 'auto']).nullable(),
  }),
  user: z.string().nullable(),
  usage: usage.nullable(),
  max_output_tokens: index.nullable(),
  max_tool_calls: index.nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});

const event = <Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.object({ type: z.literal(type), sequence_number: index, ...fields });

const ofItem = { output_index: index, item };
const placed = { item_id: z.string(), output_index: index };
const ofContent = { ...placed, content_index: index };
const ofSummary = { ...placed, summary_index: index };
const ofResponse = { response: openResponse };
const delta = z.string();
const text = z.string();

/** An event of a stream. */
export const openResponseEvent = z.discriminatedUnion('type', [
  event('response.created', ofResponse),
  event('response.in_progress', ofResponse),
  event('response.completed', ofResponse),
  event('response.incomplete', ofResponse),
  event('response.output_item.added', ofItem),
  event('response.output_item.done', ofItem),
  event('response.content_part.added', {
    ...ofContent,
    part: z.union([outputText, reasoningText]),
  }),
  event('response.content_part.done', { ...ofContent, part: z.union([outputText, reasoningText]) }),
  event('response.output_text.delta', { ...ofContent, delta, logprobs: logprobs.optional() }),
  event('response.output_text.done', { ...ofContent, text, logprobs: logprobs.optional() }),
  event('response.reasoning_summary_part.added', { ...ofSummary, part: summaryText }),
  event('response.reasoning_summary_part.done', { ...ofSummary, part: summaryText }),
  event('response.reasoning_summary_text.delta', { ...ofSummary, delta }),
  event('response.reasoning_summary_text.done', { ...ofSummary, text }),
  event('response.function_call_arguments.delta', { ...placed, delta }),
  event('response.function_call_arguments.done', { ...placed, arguments: z.string() }),
  event('error', { error }),
]);
