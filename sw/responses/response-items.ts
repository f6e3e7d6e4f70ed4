import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { RequestedImage, TemplateMessage } from '../../src/core/operations/jobs/jobs.ts';
import { callArguments } from '../generation/request/call-arguments.ts';
import { joinContent } from '../generation/request/content.ts';
import { isOtherType } from '../generation/request/other-type.ts';
import { required } from '../http/parse-value.ts';
import { Transcript } from '../generation/request/transcript.ts';
import { decodeReasoning } from './encrypted-reasoning.ts';
import type { Passage } from './file-search/file-search-request.ts';
import { passagesText, searchCall } from './file-search/passages.ts';
import { ServerItems } from './mcp/mcp-items.ts';
import { MCP_ITEMS } from './mcp/mcp-request.ts';
import type { InputItem, KnownItem } from './response-request.ts';

const PARTS = { text: ['input_text', 'output_text', 'text'], image: 'input_image', field: '.type' };
/** The parts of a reasoning item. */
const THOUGHTS = { ...PARTS, text: ['reasoning_text', ...PARTS.text], isAside: true };

/** An input item, and its field in the request. */
export interface PlacedItem {
  item: InputItem;
  field: string;
}

/**
 * Input items as chat templates see them.
 *
 * @param images - the images of users and tools are added to these
 * @param passages - the results of searches are added to these, with the next numbers
 * @param servers - the items about servers are added to these
 * @throws ApiError 400 for types that are not supported, fields that an item's type needs, and results of calls that no
 *   item made
 */
export function itemMessages(
  instructions: string | null | undefined,
  items: readonly PlacedItem[],
  images: RequestedImage[],
  passages: Passage[] = [],
  servers = new ServerItems(),
): TemplateMessage[] {
  const transcript = new Transcript();
  if (instructions) transcript.add({ role: 'system', content: instructions });
  for (const { item, field } of items) {
    const known = knownItem(item, field);
    if (known.type === 'file_search_call') addSearch(transcript, known, field, passages);
    else if (MCP_ITEMS.includes(known.type ?? '')) servers.add(transcript, known, field);
    else addItem(transcript, known, field, images);
  }
  return transcript.messages;
}

function knownItem(item: InputItem, field: string): KnownItem {
  if (!isOtherType(item)) return item;
  const message = `An input item of type '${item.unsupported}' is not supported.`;
  throw unsupportedValue(message, `${field}.type`);
}

function addItem(
  transcript: Transcript,
  item: KnownItem,
  field: string,
  images: RequestedImage[],
): void {
  switch (item.type) {
    case 'function_call':
      return transcript.assistant({ toolCalls: [calledTool(item, field)] });
    case 'function_call_output': {
      const id = required(item.call_id, `${field}.call_id`);
      const output = contentOf(item, 'output', field, images);
      return transcript.result(id, output, `${field}.call_id`);
    }
    case 'item_reference':
      required(item.id, `${field}.id`);
      return;
    case 'reasoning':
      return transcript.assistant({ reasoning: thoughts(item, field) });
    default:
      return addMessage(transcript, item, field, images);
  }
}

/** Without its results, a search says nothing to the model. */
function addSearch(
  transcript: Transcript,
  { id, queries, results }: KnownItem,
  field: string,
  passages: Passage[],
): void {
  if (!results) return;
  const call = searchCall(id ?? field, queries ?? []);
  transcript.assistant({ toolCalls: [call] });
  transcript.result(call.id, passagesText(results, passages.length, true), field);
  passages.push(...results);
}

function addMessage(
  transcript: Transcript,
  item: KnownItem,
  field: string,
  images: RequestedImage[],
): void {
  const role = required(item.role, `${field}.role`);
  const content = contentOf(item, 'content', field, role === 'user' ? images : undefined);
  if (Array.isArray(item.tool_calls) && item.tool_calls.length > 0) {
    const path = `${field}.tool_calls`;
    throw invalidRequest(`'${path}' is unknown: calls are items of the type function_call.`, path);
  }
  if (role === 'assistant') transcript.assistant({ content });
  else transcript.add({ role: role === 'developer' ? 'system' : role, content });
}

function calledTool(item: KnownItem, field: string) {
  return {
    id: required(item.call_id, `${field}.call_id`),
    name: required(item.name, `${field}.name`),
    arguments: callArguments(item.arguments ?? '', `${field}.arguments`),
  };
}

/** The text of a reasoning item. Clients send back the fields that they understand. */
function thoughts({ content, summary, encrypted_content }: KnownItem, field: string): string {
  if (content && content.length > 0) {
    return joinContent(content, `${field}.content`, THOUGHTS);
  }
  if (summary && summary.length > 0) return summary.map(({ text }) => text).join('\n\n');
  return encrypted_content == null
    ? ''
    : decodeReasoning(encrypted_content, `${field}.encrypted_content`);
}

function contentOf(
  item: KnownItem,
  name: 'content' | 'output',
  field: string,
  images: RequestedImage[] | undefined,
): string {
  const param = `${field}.${name}`;
  return joinContent(required(item[name], param), param, PARTS, images);
}
