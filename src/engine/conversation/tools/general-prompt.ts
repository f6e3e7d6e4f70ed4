import type { TemplateMessage, Tool, ToolCall } from '../../../core/operations/jobs/jobs.ts';
import { stringifyExact } from '../../../core/text/exact-json.ts';
import type { RenderChat } from '../prompt/render-chat.ts';

/**
 * For templates that know no tools: a system message lists the tools and shows Hermes's way to call
 * them, which most models have seen. Past calls and results become plain text.
 */
export function generalToolPrompt(render: RenderChat): RenderChat {
  return (messages, options, tools) => {
    const texts = messages.map(asText);
    return render(tools ? withSystem(texts, toolText(tools)) : texts, options);
  };
}

/** A tool in the form that chat templates expect. */
export function toolDefinition({ name, description, parameters }: Tool) {
  const described = description === undefined ? {} : { description };
  return { type: 'function', function: { name, ...described, parameters } };
}

export type ToolDefinition = ReturnType<typeof toolDefinition>;

/** A definition with descriptions everywhere, even if they are empty. */
export function withDescriptions({ type, function: definition }: ToolDefinition) {
  const { parameters } = definition;
  const { properties } = parameters;
  const isObject = typeof properties === 'object' && properties !== null;
  const all = isObject && {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]: [string, unknown]) => [
        name,
        typeof schema === 'object' ? { description: '', ...schema } : schema,
      ]),
    ),
  };
  return {
    type,
    function: { description: '', ...definition, parameters: { ...parameters, ...all } },
  };
}

function toolText(tools: readonly Tool[]): string {
  const definitions = tools.map((tool) => stringifyExact(toolDefinition(tool)));
  return [
    'You can call these functions:',
    '<tools>',
    ...definitions,
    '</tools>',
    '',
    'To call a function, write its name and arguments as JSON, and nothing after that:',
    '<tool_call>',
    '{"name": <name>, "arguments": <arguments>}',
    '</tool_call>',
  ].join('\n');
}

function withSystem(messages: TemplateMessage[], text: string): TemplateMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ ...first, content: [first.content, text].filter(Boolean).join('\n\n') }, ...rest];
}

function asText(message: TemplateMessage): TemplateMessage {
  const { toolCalls = [], toolCallId: _, ...rest } = message;
  if (message.role === 'tool') {
    const content = `<tool_response>\n${message.content}\n</tool_response>`;
    return { role: 'user', content };
  }
  const parts = [message.content, ...toolCalls.map(callText)];
  return { ...rest, content: parts.filter((part) => part !== '').join('\n') };
}

function callText({ name, arguments: json }: ToolCall): string {
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${json}}\n</tool_call>`;
}
