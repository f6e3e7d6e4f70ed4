import { invalidRequest } from '../../src/core/errors/errors.ts';
import type { ToolOffer } from '../../src/core/operations/jobs/jobs.ts';
import {
  checkedTools,
  isLeftOut,
  isOtherType,
  unsupportedChoice,
  type OtherType,
} from '../generation/request/other-type.ts';
import { toolOffer, type RequestedOffer } from '../generation/request/tool-offer.ts';
import type { ChatRequest } from './chat-request.ts';

/** The field that names the chosen function. */
const CHOSEN = 'tool_choice.function.name';
const ALLOWED = 'tool_choice.allowed_tools.tools';

/**
 * The tools that a request offers; undefined if it offers none.
 *
 * @throws ApiError 400 for tools of other types, for a choice of a tool that is not a function, and as toolOffer
 */
export function chatTools(request: ChatRequest): ToolOffer | undefined {
  const tools = checkedTools(request.tools);
  const choice = chosen(request.tool_choice);
  return toolOffer({
    tools: tools.map((tool, index) => (isOtherType(tool) ? tool : functionOf(tool, index))),
    ...choice,
    parallel: request.parallel_tool_calls,
    choiceField: choice.allowed ? ALLOWED : CHOSEN,
    nameField: (index) => `tools[${index}].function.name`,
  });
}

type FunctionTool = Exclude<NonNullable<ChatRequest['tools']>[number], OtherType>;

/** @throws ApiError 400 for parameters in the place that they have in responses */
function functionOf({ function: own, parameters }: FunctionTool, index: number) {
  if (parameters == null || own.parameters != null) return own;
  const field = `tools[${index}].parameters`;
  throw invalidRequest(`'${field}' is unknown: its value belongs in 'function.parameters'.`, field);
}

type Chosen = Pick<RequestedOffer, 'choice' | 'allowed'>;

function chosen(asked: ChatRequest['tool_choice']): Chosen {
  if (asked == null || typeof asked === 'string') return { choice: asked ?? 'auto' };
  if (isOtherType(asked)) throw unsupportedChoice(asked);
  if (asked.type === 'function') return { choice: { name: asked.function.name } };
  const { mode, tools } = asked.allowed_tools;
  const names = tools.flatMap((tool, index) =>
    isLeftOut(tool, `${ALLOWED}[${index}]`) ? [] : tool.function.name,
  );
  return { choice: mode ?? 'auto', allowed: names };
}
