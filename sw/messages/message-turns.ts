import { invalidRequest, unsupportedValue } from '../../src/core/protocol/errors.ts';
import type { TemplateMessage } from '../../src/core/protocol/jobs.ts';
import { Transcript } from '../generation/transcript.ts';
import type { Block, CountRequest, RequestedMessage } from './message-request.ts';

type ToolResult = Extract<Block, { type: 'tool_result' }>;
type ResultContent = NonNullable<ToolResult['content']>;

/** A system block of Claude Code's: it differs in every request, so no prompt would be in the KV cache. */
const BILLING = 'x-anthropic-billing-header';

/**
 * Validated messages as chat templates see them.
 *
 * @throws ApiError 400 for blocks that are not supported or in the wrong place, and for results without
 *   their call
 */
export function turnMessages({ system, messages }: CountRequest): TemplateMessage[] {
  if (messages.length === 0) throw invalidRequest("'messages' must not be empty.", 'messages');
  const transcript = new Transcript();
  const told = systemText(system);
  if (told !== '') transcript.add({ role: 'system', content: told });
  const answered = new Set<string>();
  messages.forEach((message, index) =>
    addTurn(transcript, message, `messages[${index}].content`, answered),
  );
  return transcript.messages;
}

function systemText(system: CountRequest['system']): string {
  const blocks = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text);
  return blocks.filter((text) => !text.startsWith(BILLING)).join('\n\n');
}

/** @param answered - ids of the calls that have a result; those of this turn are added */
function addTurn(
  transcript: Transcript,
  { role, content }: RequestedMessage,
  field: string,
  answered: Set<string>,
): void {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  if (role === 'assistant') {
    // A turn without blocks is one as well.
    transcript.assistant({});
    blocks.forEach((block, index) => addAssistant(transcript, block, `${field}[${index}]`));
    return;
  }
  // Chat templates expect the results directly after their calls.
  blocks.forEach((block, index) => {
    if (!('type' in block) || block.type !== 'tool_result') return;
    addResult(transcript, block, `${field}[${index}]`, answered);
  });
  const texts = blocks.flatMap((block, index) => userText(block, `${field}[${index}]`));
  const hasOnlyResults = texts.length === 0 && blocks.length > 0;
  if (!hasOnlyResults) transcript.add({ role, content: texts.join('\n\n') });
}

function addAssistant(transcript: Transcript, block: Block, field: string): void {
  if ('unsupported' in block) throw unsupportedBlock(block.unsupported, field);
  switch (block.type) {
    case 'text':
      return transcript.assistant({ content: block.text });
    case 'thinking':
      return transcript.assistant({ reasoning: block.thinking });
    case 'redacted_thinking':
      return;
    case 'tool_use': {
      const { id, name, input } = block;
      const call = { id, name, arguments: JSON.stringify(input ?? {}) };
      return transcript.assistant({ toolCalls: [call] });
    }
    case 'image':
    case 'tool_result':
      throw invalidRequest(`'${field}' is only for role 'user'.`, field);
  }
}

function userText(block: Block, field: string): string[] {
  if ('unsupported' in block) throw unsupportedBlock(block.unsupported, field);
  switch (block.type) {
    case 'text':
      return [block.text];
    case 'image':
      throw unsupportedBlock('image', field);
    case 'tool_result':
      return [];
    case 'thinking':
    case 'redacted_thinking':
    case 'tool_use':
      throw invalidRequest(`'${field}' is only for role 'assistant'.`, field);
  }
}

function addResult(
  transcript: Transcript,
  { tool_use_id: id, content, is_error }: ToolResult,
  field: string,
  answered: Set<string>,
): void {
  const param = `${field}.tool_use_id`;
  if (answered.has(id)) throw invalidRequest(`'${param}' is '${id}', which has a result.`, param);
  answered.add(id);
  const text = resultText(content ?? '', `${field}.content`);
  transcript.result(id, is_error ? `Error: ${text}` : text, param);
}

function resultText(content: ResultContent, field: string): string {
  if (typeof content === 'string') return content;
  const texts = content.map((block, index) => {
    if ('text' in block) return block.text;
    const type = 'unsupported' in block ? block.unsupported : block.type;
    throw unsupportedBlock(type, `${field}[${index}]`);
  });
  return texts.join('\n\n');
}

function unsupportedBlock(type: string, field: string) {
  return type === 'image'
    ? unsupportedValue('This model does not see images.', field)
    : unsupportedValue(`A content block of type '${type}' is not supported.`, `${field}.type`);
}
