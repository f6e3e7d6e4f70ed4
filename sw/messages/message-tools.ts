import { invalidRequest, unsupportedValue } from '../../src/core/errors/errors.ts';
import type { ToolOffer } from '../../src/core/operations/jobs.ts';
import { toolOffer, type OfferedFunction } from '../generation/request/tool-offer.ts';
import type { CountRequest, RequestedTool } from './message-request.ts';

const CHOSEN = 'tool_choice.name';

/**
 * The tools that a request offers; undefined if it offers none.
 *
 * @throws ApiError 400 for Anthropic's own tools, and as toolOffer
 */
export function messageTools({ tools, tool_choice: choice }: CountRequest): ToolOffer | undefined {
  return toolOffer({
    functions: (tools ?? []).map(offeredFunction),
    choice: chosen(choice),
    parallel: choice?.disable_parallel_tool_use !== true,
    choiceField: CHOSEN,
    nameField: (index) => `tools[${index}].name`,
  });
}

function chosen(choice: CountRequest['tool_choice']): ToolOffer['choice'] {
  switch (choice?.type) {
    case 'any':
      return 'required';
    case 'tool':
      if (choice.name != null) return { name: choice.name };
      throw invalidRequest(`'${CHOSEN}' is required.`, CHOSEN);
    case 'none':
      return 'none';
    case 'auto':
    case undefined:
      return 'auto';
  }
}

function offeredFunction(tool: RequestedTool, index: number): OfferedFunction {
  if (!('unsupported' in tool)) return { ...tool, parameters: tool.input_schema };
  const message = `A tool of type '${tool.unsupported}' is not supported.`;
  throw unsupportedValue(message, `tools[${index}].type`);
}
