import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { ToolOffer } from '../../src/core/operations/jobs.ts';
import {
  toolOffer,
  type OfferedFunction,
  type RequestedOffer,
} from '../generation/request/tool-offer.ts';
import type { AllowedTool, RequestedTool, ResponseRequest } from './response-request.ts';

/**
 * The tools that a request offers; undefined if it offers none.
 *
 * @throws ApiError 400 for tools that are not functions, and as toolOffer
 */
export function responseTools(request: ResponseRequest): ToolOffer | undefined {
  return toolOffer({
    functions: (request.tools ?? []).map(offeredFunction),
    ...chosen(request.tool_choice),
    parallel: request.parallel_tool_calls,
    choiceField: 'tool_choice',
    nameField: (index) => `tools[${index}].name`,
  });
}

type Chosen = Pick<RequestedOffer, 'choice' | 'allowed'>;

function chosen(asked: ResponseRequest['tool_choice']): Chosen {
  if (asked == null || typeof asked === 'string') return { choice: asked ?? 'auto' };
  const { type, name, mode, tools } = asked;
  switch (type) {
    case 'function':
      return { choice: { name: requiredName(name, 'tool_choice.name') } };
    case 'allowed_tools':
      return { choice: mode ?? 'auto', allowed: (tools ?? []).map(allowedName) };
    default: {
      const message = `A tool_choice of type '${type}' is not supported.`;
      throw unsupportedValue(message, 'tool_choice.type');
    }
  }
}

function allowedName({ type, name }: AllowedTool, index: number): string {
  const at = `tool_choice.tools[${index}]`;
  if (type === 'function') return requiredName(name, `${at}.name`);
  throw unsupportedValue(`A tool of type '${type}' is not supported.`, `${at}.type`);
}

function requiredName(name: string | null | undefined, param: string): string {
  if (name != null) return name;
  throw invalidRequest(`'${param}' is required.`, param);
}

function offeredFunction(tool: RequestedTool, index: number): OfferedFunction {
  if (!('unsupported' in tool)) return tool;
  const message = `A tool of type '${tool.unsupported}' is not supported.`;
  throw unsupportedValue(message, `tools[${index}].type`);
}
