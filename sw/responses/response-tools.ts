import type { ToolOffer } from '../../src/core/operations/jobs.ts';
import {
  checkedTools,
  isLeftOut,
  isOtherType,
  unsupportedChoice,
} from '../generation/request/other-type.ts';
import { toolOffer, type RequestedOffer } from '../generation/request/tool-offer.ts';
import type { ResponseRequest } from './response-request.ts';

/**
 * The tools that a request offers; undefined if it offers none.
 *
 * @throws ApiError 400 for tools of other types, for a choice of a tool that is not a function, and as toolOffer
 */
export function responseTools(request: ResponseRequest): ToolOffer | undefined {
  return toolOffer({
    tools: checkedTools(request.tools),
    ...chosen(request.tool_choice),
    parallel: request.parallel_tool_calls,
    choiceField: 'tool_choice',
    nameField: (index) => `tools[${index}].name`,
  });
}

type Chosen = Pick<RequestedOffer, 'choice' | 'allowed'>;

function chosen(asked: ResponseRequest['tool_choice']): Chosen {
  if (asked == null || typeof asked === 'string') return { choice: asked ?? 'auto' };
  if (isOtherType(asked)) throw unsupportedChoice(asked);
  if (asked.type === 'function') return { choice: { name: asked.name } };
  const { mode, tools } = asked;
  const names = tools.flatMap((tool, index) =>
    isLeftOut(tool, `tool_choice.tools[${index}]`) ? [] : tool.name,
  );
  return { choice: mode ?? 'auto', allowed: names };
}
