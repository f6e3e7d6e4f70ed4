import type { TemplateMessage, Tool, ToolCall } from '../../../core/operations/jobs/jobs.ts';
import { parseExact, stringifyExact } from '../../../core/text/exact-json.ts';
import type { RenderChat } from './render-chat.ts';

type Safe = (text: string) => string;

/**
 * Prevents text in a message or a tool from becoming a control token. Otherwise a user could end
 * the turn and speak as the system by writing `<|im_end|>`.
 *
 * @param controlTokens - texts that the tokenizer turns into control tokens
 */
export function guardControlTokens(render: RenderChat, controlTokens: string[]): RenderChat {
  const safe: Safe = (text) => breakControlTokens(text, controlTokens);
  return (messages, options, tools) =>
    render(
      messages.map((message) => safeMessage(message, safe)),
      options,
      tools?.map((tool) => safeTool(tool, safe)),
    );
}

/** The text without control tokens: it reads the same. */
export function breakControlTokens(text: string, controlTokens: readonly string[]): string {
  return controlTokens.reduce(breakUp, text);
}

function safeMessage(message: TemplateMessage, safe: Safe): TemplateMessage {
  const { role, content, name, reasoning, toolCalls, toolCallId } = message;
  return {
    role,
    content: safe(content),
    ...(name !== undefined && { name: safe(name) }),
    ...(reasoning !== undefined && { reasoning: safe(reasoning) }),
    ...(toolCalls && { toolCalls: toolCalls.map((call) => safeCall(call, safe)) }),
    ...(toolCallId !== undefined && { toolCallId: safe(toolCallId) }),
  };
}

/** The JSON is left as it was written if possible, because it may be in the KV cache. */
function safeCall({ id, name, arguments: json }: ToolCall, safe: Safe): ToolCall {
  return { id: safe(id), name: safe(name), arguments: safeJson(json, safe) };
}

function safeJson(json: string, safe: Safe): string {
  let values: unknown;
  try {
    values = parseExact(json);
  } catch {
    // Arguments that were cut.
    return safe(json);
  }
  // An escape sequence in the JSON may hide a control token, so the values are checked, not the text.
  const guarded = stringifyExact(safeValue(values, safe));
  return guarded === stringifyExact(values) ? json : guarded;
}

function safeTool(tool: Tool, safe: Safe): Tool {
  const { name, description, parameters } = tool;
  return {
    ...tool,
    name: safe(name),
    ...(description !== undefined && { description: safe(description) }),
    parameters: safeEntries(parameters, safe),
  };
}

function safeEntries(entries: object, safe: Safe): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries).map(([key, value]) => [safe(key), safeValue(value, safe)]),
  );
}

function safeValue(value: unknown, safe: Safe): unknown {
  if (typeof value === 'string') return safe(value);
  if (Array.isArray(value)) return value.map((item) => safeValue(item, safe));
  return typeof value === 'object' && value !== null ? safeEntries(value, safe) : value;
}

/**
 * Inserts a zero-width space after the first character: it reads the same but is not a control
 * token.
 */
function breakUp(text: string, token: string): string {
  if (token === '') return text;
  return text.replaceAll(token, () => `${token.slice(0, 1)}\u200b${token.slice(1)}`);
}
