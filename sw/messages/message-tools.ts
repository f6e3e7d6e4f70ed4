import type { ToolOffer } from '../../src/core/operations/jobs/jobs.ts';
import { checkedTools, isOtherType } from '../generation/request/other-type.ts';
import { toolOffer } from '../generation/request/tool-offer.ts';
import type { CountRequest } from './message-request.ts';

/**
 * The tools that a request offers; undefined if it offers none.
 *
 * @throws ApiError 400 for tools of other types, and as toolOffer
 */
export function messageTools({ tools, tool_choice: choice }: CountRequest): ToolOffer | undefined {
  return toolOffer({
    tools: checkedTools(tools).map((tool) =>
      isOtherType(tool) ? tool : { ...tool, parameters: tool.input_schema },
    ),
    choice: chosen(choice),
    parallel: choice?.disable_parallel_tool_use !== true,
    choiceField: 'tool_choice.name',
    nameField: (index) => `tools[${index}].name`,
  });
}

function chosen(choice: CountRequest['tool_choice']): ToolOffer['choice'] {
  switch (choice?.type) {
    case 'tool':
      return { name: choice.name };
    case 'any':
      return 'required';
    default:
      return choice?.type ?? 'auto';
  }
}
