import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import {
  IMAGE_MARK,
  type RequestedImage,
  type TemplateMessage,
} from '../../src/core/operations/jobs/jobs.ts';
import { withoutBreakpoints } from '../../src/core/operations/prompt-caching.ts';
import { stringifyExact } from '../../src/core/text/exact-json.ts';
import { showImage } from '../generation/request/content.ts';
import {
  marked,
  markOf,
  refuseBreakpoint,
  type Breakpoint,
} from '../generation/request/prompt-caching.ts';
import { Transcript } from '../generation/request/transcript.ts';
import type { Block, CountRequest, ImageSource, RequestedMessage } from './message-request.ts';

type ToolResult = Extract<Block, { type: 'tool_result' }>;
type ResultContent = NonNullable<ToolResult['content']>;

/**
 * The beginning of a system block of Claude Code. The block differs in every request, so no prompt would be in the KV
 * cache.
 */
const BILLING = 'x-anthropic-billing-header';

/**
 * Validated messages as chat templates see them.
 *
 * @param images - the images of the blocks are added to these
 * @throws ApiError 400 for blocks that are not supported or in the wrong place, and for results without their call
 */
export function turnMessages(
  { system, messages, tools, cache_control: atEnd }: CountRequest,
  images: RequestedImage[],
): TemplateMessage[] {
  if (messages.length === 0) throw invalidRequest("'messages' must not be empty.", 'messages');
  const transcript = new Transcript();
  const told = systemText(system);
  if (told !== '') transcript.add({ role: 'system', content: told });
  const answered = new Set<string>();
  messages.forEach((message, index) =>
    addTurn({ transcript, images, answered }, message, `messages[${index}].content`),
  );
  const turns = transcript.messages.map((message) => ({ ...message }));
  // Where a template shows tools, no message has a place. The first turn follows them in all templates.
  const ofTools = (tools ?? []).flatMap((tool) => ('name' in tool && tool.cache_control) || []);
  const first = turns.find(({ role }) => role !== 'system');
  if (first) first.content = ofTools.map(markOf).join('') + first.content;
  const last = turns.at(-1);
  if (last && atEnd) last.content += markOf(atEnd);
  return turns;
}

function systemText(system: CountRequest['system']): string {
  if (typeof system === 'string') return system.startsWith(BILLING) ? '' : system;
  return (system ?? [])
    .map(({ text, cache_control: given }, at) => markedBlock(text, given, `system[${at}]`))
    .filter((text) => !text.startsWith(BILLING))
    .join('\n\n');
}

/** What the turns are added to. */
interface Told {
  transcript: Transcript;
  images: RequestedImage[];
  /** Ids of the calls that have a result. */
  answered: Set<string>;
}

function addTurn(told: Told, { role, content }: RequestedMessage, field: string): void {
  const { transcript } = told;
  const images = role === 'user' ? told.images : undefined;
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  if (role === 'assistant') {
    // A turn without blocks counts as well.
    transcript.assistant({});
    blocks.forEach((block, index) => addAssistant(transcript, block, `${field}[${index}]`));
    return;
  }
  // Chat templates expect the results directly after their calls.
  blocks.forEach((block, index) => {
    if (!('type' in block) || block.type !== 'tool_result') return;
    addResult(told, block, `${field}[${index}]`);
  });
  const texts = blocks.flatMap((block, index) => userText(block, `${field}[${index}]`, images));
  const hasOnlyResults = texts.length === 0 && blocks.length > 0;
  if (!hasOnlyResults) transcript.add({ role, content: paragraphs(texts) });
}

function addAssistant(transcript: Transcript, block: Block, field: string): void {
  if ('unsupported' in block) throw unsupportedBlock(block.unsupported, field);
  switch (block.type) {
    case 'text':
      return transcript.assistant({ content: markedBlock(block.text, block.cache_control, field) });
    case 'thinking':
      refuseBreakpoint(block.cache_control, `${field}.cache_control`);
      return transcript.assistant({ reasoning: block.thinking });
    case 'redacted_thinking':
      return refuseBreakpoint(block.cache_control, `${field}.cache_control`);
    case 'tool_use': {
      const { id, name, input, cache_control: given } = block;
      const call = { id, name, arguments: stringifyExact(input ?? {}) };
      // Calls follow the text, and no place in them is known: what stands before them is kept.
      return transcript.assistant({ content: given ? markOf(given) : '', toolCalls: [call] });
    }
    case 'image':
    case 'tool_result':
      throw invalidRequest(`'${field}' is only for role 'user'.`, field);
  }
}

function userText(block: Block, field: string, images?: RequestedImage[]): string[] {
  if ('unsupported' in block) throw unsupportedBlock(block.unsupported, field);
  switch (block.type) {
    case 'text':
      return [markedBlock(block.text, block.cache_control, field)];
    case 'image':
      if (!images) throw unsupportedBlock('image', field);
      return [shownBlock(block, field, images)];
    case 'tool_result':
      return [];
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
      throw invalidRequest(`'${field}' is only for role 'assistant'.`, field);
  }
}

function addResult(
  { transcript, images, answered }: Told,
  { tool_use_id: id, content, is_error, cache_control: given }: ToolResult,
  field: string,
): void {
  const param = `${field}.tool_use_id`;
  if (answered.has(id)) throw invalidRequest(`'${param}' is '${id}', which has a result.`, param);
  answered.add(id);
  const text = resultText(content ?? '', `${field}.content`, images);
  const mark = given ? markOf(given) : '';
  transcript.result(id, (is_error ? `Error: ${text}` : text) + mark, param);
}

function resultText(content: ResultContent, field: string, images: RequestedImage[]): string {
  if (typeof content === 'string') return content;
  const texts = content.map((block, index) => {
    const at = `${field}[${index}]`;
    if ('unsupported' in block) throw unsupportedBlock(block.unsupported, at);
    return block.type === 'text'
      ? markedBlock(block.text, block.cache_control, at)
      : shownBlock(block, at, images);
  });
  return paragraphs(texts);
}

function markedBlock(text: string, given: Breakpoint, field: string): string {
  return marked(text, given, `${field}.cache_control`);
}

function shownBlock(
  { source, cache_control: given }: Extract<Block, { type: 'image' }>,
  field: string,
  images: RequestedImage[],
): string {
  return markedBlock(blockImage(source, `${field}.source`, images), given, field);
}

function blockImage(source: ImageSource, field: string, images: RequestedImage[]): string {
  const { type, data, url } = source;
  if (type === 'base64' && data != null) {
    return showImage(images, `data:;base64,${data}`, `${field}.data`);
  }
  if (type === 'url' && url != null) return showImage(images, url, `${field}.url`);
  const message = `'${field}' must have the type 'base64' and 'data', or the type 'url' and 'url'.`;
  throw unsupportedValue(message, field);
}

/** Joins the texts as paragraphs. An image stands between them without a line of its own. */
function paragraphs(texts: readonly string[]): string {
  return texts.reduce((all, text) => {
    const isImage = withoutBreakpoints(text) === IMAGE_MARK;
    const isApart =
      all !== '' && !withoutBreakpoints(all.slice(-2)).endsWith(IMAGE_MARK) && !isImage;
    return all + (isApart ? '\n\n' : '') + text;
  }, '');
}

function unsupportedBlock(type: string, field: string) {
  return unsupportedValue(`A content block of type '${type}' is not supported.`, `${field}.type`);
}
