import type { TokenLogprob, UsedSampling, Usage } from '../../src/core/operations/events/events.ts';
import { inputDetails } from '../generation/answer/usage.ts';
import { newId, unixSeconds } from '../generation/answer/ids.ts';
import { tokenLimit } from '../generation/request/generation-request.ts';
import { isOtherType } from '../generation/request/other-type.ts';
import {
  isFileSearch,
  type FileSearchTool,
  type Passage,
} from './file-search/file-search-request.ts';
import type { HostedItem } from './hosted/hosted-items.ts';
import { isMcp, type McpServerTool } from './mcp/mcp-request.ts';
import type { FunctionTool, ResponseRequest } from './response-request.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** An item of an answer. Ids: `rs_…`, `msg_…`, `fc_…`, `fs_…`, `mcpl_…`, `mcp_…`, `mcpr_…`. */
export type OutputItem = WrittenItem | HostedItem;

/** An item that a model writes. */
export type WrittenItem =
  | {
      id: string;
      type: 'reasoning';
      summary: { type: 'summary_text'; text: string }[];
      content?: { type: 'reasoning_text'; text: string }[];
      encrypted_content?: string;
      status?: ItemStatus;
    }
  | {
      id: string;
      type: 'message';
      status: ItemStatus;
      role: 'assistant';
      content: TextPart[];
    }
  | {
      id: string;
      type: 'function_call';
      status: ItemStatus;
      call_id: string;
      name: string;
      arguments: string;
    };

/** `index`: the place in the text. */
export type Citation = Pick<Passage, 'file_id' | 'filename'> & {
  type: 'file_citation';
  index: number;
};

export interface TextPart {
  type: 'output_text';
  text: string;
  annotations: Citation[];
  logprobs: TokenLogprobBody[];
}

export type TokenLogprobBody = ReturnType<typeof logprobBody>;

/** The part of an answer that changes while the model writes. */
interface Progress {
  status: ItemStatus;
  /** Unix seconds; null until the answer is whole. */
  completed_at: number | null;
  incomplete_details: { reason: 'max_output_tokens' } | null;
  output: OutputItem[];
  /** Null until the answer is whole. */
  usage: ReturnType<typeof usageBody> | null;
  /** Whether the answer is kept. */
  store: boolean;
}

export type ResponseBody = ReturnType<typeof echo> & Progress;

/**
 * An answer without output.
 *
 * @param defaults - the model's own, as far as they are known before it is loaded
 */
export function responseBody(
  request: ResponseRequest,
  defaults: Partial<UsedSampling>,
): ResponseBody {
  return {
    ...echo(request, defaults),
    status: 'in_progress',
    completed_at: null,
    incomplete_details: null,
    output: [],
    usage: null,
    store: request.store ?? true,
  };
}

/** The fields that repeat the request, with the values that apply. */
function echo(request: ResponseRequest, defaults: Partial<UsedSampling>) {
  const { reasoning, text } = request;
  return {
    id: newId('resp_'),
    object: 'response',
    created_at: unixSeconds(),
    background: false,
    error: null,
    instructions: request.instructions ?? null,
    max_output_tokens: tokenLimit(request.max_output_tokens) ?? null,
    model: request.model,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    ...(request.conversation != null && { conversation: { id: request.conversation } }),
    reasoning: { effort: reasoning?.effort ?? null, summary: reasoning?.summary ?? null },
    service_tier: 'default',
    ...samplingBody({
      temperature: request.temperature ?? defaults.temperature ?? 1,
      topP: request.top_p ?? defaults.topP ?? 1,
    }),
    presence_penalty: request.presence_penalty ?? 0,
    frequency_penalty: request.frequency_penalty ?? 0,
    max_tool_calls: request.max_tool_calls ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    safety_identifier: request.safety_identifier ?? null,
    user: request.user ?? null,
    text: { format: formatBody(text?.format) },
    tool_choice: request.tool_choice ?? 'auto',
    tools: (request.tools ?? []).flatMap((tool) => (isOtherType(tool) ? [] : toolBody(tool))),
    top_logprobs: request.top_logprobs ?? 0,
    truncation: request.truncation ?? 'disabled',
    metadata: request.metadata ?? {},
  };
}

export function samplingBody({ temperature, topP }: UsedSampling) {
  return { temperature, top_p: topP };
}

/** Usage as the Responses API writes it. */
export function usageBody(usage: Usage) {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: inputDetails(usage),
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}

export function logprobBody({ top, ...chance }: TokenLogprob) {
  return { ...chance, top_logprobs: top };
}

function formatBody(format: NonNullable<ResponseRequest['text']>['format']) {
  const { type = 'text', name, description, schema, strict } = format ?? {};
  if (type !== 'json_schema') return { type };
  return {
    type,
    name: name ?? 'response',
    description: description ?? null,
    schema,
    // A schema is held as a whole, and its objects are closed, unless the request says otherwise.
    strict: strict ?? true,
  };
}

function toolBody(tool: FunctionTool | FileSearchTool | McpServerTool) {
  if (isFileSearch(tool)) return tool;
  if (isMcp(tool)) return serverBody(tool);
  const { name, description, parameters, strict } = tool;
  return {
    type: 'function',
    name,
    description: description ?? null,
    parameters: parameters ?? null,
    strict: strict ?? null,
  };
}

/** A server, without what is for the server only. */
function serverBody({ authorization: _token, headers: _headers, ...tool }: McpServerTool) {
  return {
    ...tool,
    allowed_tools: tool.allowed_tools ?? null,
    require_approval: tool.require_approval ?? 'always',
    headers: null,
  };
}
