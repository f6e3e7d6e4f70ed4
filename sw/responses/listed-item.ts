import { newId } from '../generation/answer/ids.ts';
import { isOtherType } from '../generation/request/other-type.ts';
import { listedTool } from './mcp/mcp-items.ts';
import type { InputItem, KnownItem } from './response-request.ts';

/** An input item as the API lists it: with an id of its type, a status, and content in parts. */
export function listedItem(item: InputItem): Record<string, unknown> {
  if (isOtherType(item)) return { ...item };
  switch (item.type) {
    case 'function_call':
      return withId('fc_', { status: 'completed', ...item });
    case 'function_call_output':
      return withId('fco_', { status: 'completed', ...item });
    case 'file_search_call':
      return withId('fs_', {
        status: 'completed',
        ...item,
        queries: item.queries ?? [],
        results: item.results ?? null,
      });
    case 'mcp_list_tools':
      return withId('mcpl_', { ...withoutNull(item), tools: (item.tools ?? []).map(listedTool) });
    case 'mcp_call':
      return withId('mcp_', { status: item.error == null ? 'completed' : 'failed', ...item });
    case 'mcp_approval_request':
      return withId('mcpr_', item);
    case 'mcp_approval_response':
      return withId('mcpa_', item);
    case 'reasoning':
      return withId('rs_', { ...item, summary: item.summary ?? [] });
    default:
      return withId('msg_', listedMessage(item));
  }
}

function withId(prefix: string, item: ListedItem): Record<string, unknown> {
  return { ...item, id: item.id ?? newId(prefix) };
}

type ListedItem = Omit<KnownItem, 'content'> & {
  status?: 'completed' | 'failed';
  content?: unknown;
};

/** Without an error that is null, which some clients do not accept. */
function withoutNull({ error, ...item }: KnownItem): KnownItem {
  return error == null ? item : { ...item, error };
}

function listedMessage({ content, ...item }: KnownItem): ListedItem {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  const listed = parts.map((part) => listedPart(part, item.role === 'assistant'));
  return { status: 'completed', ...item, type: 'message', content: listed };
}

type Part = Exclude<NonNullable<KnownItem['content']>, string>[number];

function listedPart(part: Part, isAnswer: boolean): object {
  if (part.type === 'input_image') return { ...part, detail: part.detail ?? 'auto' };
  if (part.text == null) return part;
  if (!isAnswer) return { ...part, type: 'input_text' };
  return { ...part, type: 'output_text', annotations: [], logprobs: [] };
}
