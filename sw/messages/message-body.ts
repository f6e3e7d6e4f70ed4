import type { Usage } from '../../src/core/operations/events/events.ts';
import { writtenTokens } from '../generation/answer/usage.ts';
import { newId } from '../generation/answer/ids.ts';

/** Clients keep thinking only with a signature. Nobody checks it here: base64 of "slashv1". */
export const SIGNATURE = 'c2xhc2h2MQ==';

export type ContentBlock =
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown };

export const EMPTY_BLOCKS = {
  thinking: { type: 'thinking', thinking: '', signature: '' },
  text: { type: 'text', text: '' },
} as const;

export interface MessageBody {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: ContentBlock[];
  stop_reason: string | null;
  stop_sequence: string | null;
  stop_details: null;
  container: null;
  usage: ReturnType<typeof usageBody>;
}

/** An answer without content. */
export function emptyMessage(model: string): MessageBody {
  return {
    id: newId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    usage: usageBody({ promptTokens: 0, completionTokens: 0, cachedTokens: 0 }),
  };
}

/** Usage as Anthropic writes it: what was read from a cache, or put into one, does not count as input. */
export function usageBody(usage: Usage) {
  const { promptTokens, cachedTokens, cacheWrites } = usage;
  const written = writtenTokens(usage);
  return {
    input_tokens: promptTokens - cachedTokens - written,
    cache_creation_input_tokens: written,
    cache_creation: {
      ephemeral_5m_input_tokens: cacheWrites?.short ?? 0,
      ephemeral_1h_input_tokens: cacheWrites?.long ?? 0,
    },
    cache_read_input_tokens: cachedTokens,
    output_tokens: usage.completionTokens,
    output_tokens_details: { thinking_tokens: usage.reasoningTokens ?? 0 },
    service_tier: 'standard',
  };
}

/** A piece of a block's text, thinking or JSON. */
export function blockDelta(type: ContentBlock['type'], text: string) {
  switch (type) {
    case 'thinking':
      return { type: 'thinking_delta', thinking: text };
    case 'text':
      return { type: 'text_delta', text };
    case 'tool_use':
      return { type: 'input_json_delta', partial_json: text };
  }
}

/** @param text - the block's whole text, thinking or JSON */
export function wholeBlock(empty: ContentBlock, text: string): ContentBlock {
  switch (empty.type) {
    case 'thinking':
      return { ...empty, thinking: text, signature: SIGNATURE };
    case 'text':
      return { ...empty, text };
    case 'tool_use':
      return { ...empty, input: inputOf(text) };
  }
}

/** The input of a call. A call that was cut off has no input that could be read. */
function inputOf(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return {};
  }
}
