import { invalidRequest, unsupportedValue } from '../../src/core/protocol/errors.ts';
import type { Tool, ToolOffer } from '../../src/core/protocol/jobs.ts';
import type { ChatRequest, RequestedTool } from './chat-request.ts';

/** The OpenAI API's own limit. */
const MAX_TOOLS = 128;

/** The parameters of a function that takes none. */
const NO_PARAMETERS = { type: 'object', properties: {} };

/**
 * The tools that a request offers; undefined if it offers none. The engine checks their JSON Schemas.
 *
 * @throws ApiError 400 for a name that is used twice and a choice that cannot be made
 */
export function toolOffer(request: ChatRequest): ToolOffer | undefined {
  const requested = request.tools ?? [];
  const choice = toolChoice(request.tool_choice, requested);
  if (requested.length === 0) return undefined;
  if (requested.length > MAX_TOOLS) {
    throw invalidRequest(`'tools' must hold at most ${MAX_TOOLS} tools.`, 'tools');
  }
  requested.forEach((tool, index) => checkTool(tool, index, requested));
  return {
    tools: requested.map(offeredTool),
    choice,
    parallel: request.parallel_tool_calls ?? true,
  };
}

function toolChoice(
  choice: ChatRequest['tool_choice'],
  tools: readonly RequestedTool[],
): ToolOffer['choice'] {
  if (choice == null || choice === 'auto' || choice === 'none') return choice ?? 'auto';
  if (tools.length === 0) {
    throw invalidRequest("'tool_choice' needs 'tools' to choose from.", 'tool_choice');
  }
  if (choice === 'required') return choice;
  const param = 'tool_choice.function.name';
  if (choice.type !== 'function') {
    const at = 'tool_choice.type';
    throw unsupportedValue(`A tool_choice of type '${choice.type}' is not supported.`, at);
  }
  const name = choice.function?.name;
  if (name === undefined) throw invalidRequest(`'${param}' is required.`, param);
  if (tools.some((tool) => tool.function?.name === name)) return { name };
  throw invalidRequest(`'${param}' is '${name}', which is not among 'tools'.`, param);
}

function checkTool(tool: RequestedTool, index: number, all: readonly RequestedTool[]): void {
  const at = `tools[${index}]`;
  if (tool.type != null && tool.type !== 'function') {
    throw unsupportedValue(`A tool of type '${tool.type}' is not supported.`, `${at}.type`);
  }
  if (!tool.function) throw invalidRequest(`'${at}.function' is required.`, `${at}.function`);
  const name = tool.function.name;
  if (all.findIndex((other) => other.function?.name === name) === index) return;
  const param = `${at}.function.name`;
  throw invalidRequest(`'${param}' is '${name}', as another tool's is.`, param);
}

function offeredTool({ function: definition }: RequestedTool): Tool {
  const { name = '', description, parameters } = definition ?? {};
  return {
    name,
    ...(description != null && { description }),
    parameters: Object.keys(parameters ?? {}).length > 0 ? (parameters ?? {}) : NO_PARAMETERS,
  };
}
