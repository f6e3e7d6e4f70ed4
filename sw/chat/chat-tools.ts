import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { ToolOffer } from '../../src/core/operations/jobs.ts';
import {
  toolOffer,
  type OfferedFunction,
  type RequestedOffer,
} from '../generation/request/tool-offer.ts';
import type { AllowedTool, ChatRequest, RequestedTool } from './chat-request.ts';

/** The field that names the chosen function. */
const CHOSEN = 'tool_choice.function.name';
const ALLOWED = 'tool_choice.allowed_tools.tools';

/**
 * The tools that a request offers; undefined if it offers none.
 *
 * @throws ApiError 400 for tools that are not functions, and as toolOffer
 */
export function chatTools(request: ChatRequest): ToolOffer | undefined {
  const choice = chosen(request.tool_choice);
  return toolOffer({
    functions: (request.tools ?? []).map(offeredFunction),
    ...choice,
    parallel: request.parallel_tool_calls,
    choiceField: choice.allowed ? ALLOWED : CHOSEN,
    nameField: (index) => `tools[${index}].function.name`,
  });
}

type Chosen = Pick<RequestedOffer, 'choice' | 'allowed'>;

function chosen(asked: ChatRequest['tool_choice']): Chosen {
  if (asked == null || typeof asked === 'string') return { choice: asked ?? 'auto' };
  switch (asked.type) {
    case 'function':
      return { choice: { name: requiredName(asked.function, CHOSEN) } };
    case 'allowed_tools': {
      const { mode, tools = [] } = asked.allowed_tools ?? {};
      return { choice: mode ?? 'auto', allowed: tools.map(allowedName) };
    }
    default: {
      const message = `A tool_choice of type '${asked.type}' is not supported.`;
      throw unsupportedValue(message, 'tool_choice.type');
    }
  }
}

function allowedName({ type, function: named }: AllowedTool, index: number): string {
  const at = `${ALLOWED}[${index}]`;
  if (type === 'function') return requiredName(named, `${at}.function.name`);
  throw unsupportedValue(`A tool of type '${type}' is not supported.`, `${at}.type`);
}

function requiredName(named: { name: string } | null | undefined, param: string): string {
  if (named) return named.name;
  throw invalidRequest(`'${param}' is required.`, param);
}

function offeredFunction(tool: RequestedTool, index: number): OfferedFunction {
  const at = `tools[${index}]`;
  if (tool.type != null && tool.type !== 'function') {
    throw unsupportedValue(`A tool of type '${tool.type}' is not supported.`, `${at}.type`);
  }
  if (tool.function) return tool.function;
  throw invalidRequest(`'${at}.function' is required.`, `${at}.function`);
}
