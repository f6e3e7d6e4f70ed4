import { contentOf } from '../attachments/attachment.ts';
import type { ChatSettings, Turn } from '../conversation/conversation.ts';
import { itemsOfSteps } from '../servers/server-step.ts';

/**
 * Turns as the input of the Responses API.
 *
 * @param sees - whether the model is shown pictures
 */
export function inputOf(turns: readonly Turn[], { system }: ChatSettings, sees: boolean): object[] {
  const items = turns.flatMap((turn, index) => itemsOf(turn, turns[index + 1], sees));
  return system.trim() === '' ? items : [{ role: 'system', content: system }, ...items];
}

function itemsOf(turn: Turn, next: Turn | undefined, sees: boolean): object[] {
  const { role, text, attachments = [], toolCalls = [], results = [] } = turn;
  const { steps = [], decisions = [] } = turn;
  switch (role) {
    case 'user':
      return [{ role, content: parts(contentOf(text, attachments, sees)) }];
    case 'tool':
      return [
        ...results.map(({ call: call_id, text: output }) => ({
          type: 'function_call_output',
          call_id,
          output,
        })),
        ...decisions.map(({ request, isApproved }) => ({
          type: 'mcp_approval_response',
          approval_request_id: request,
          approve: isApproved,
        })),
      ];
    case 'assistant': {
      const calls = next?.role === 'tool' ? toolCalls : [];
      return [
        ...itemsOfSteps(steps),
        ...(text === '' ? [] : [{ role, content: text }]),
        ...calls.map(({ id: call_id, name, arguments: given }) => ({
          type: 'function_call',
          call_id,
          name,
          arguments: given,
        })),
      ];
    }
  }
}

function parts(content: ReturnType<typeof contentOf>) {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', image_url: part.image_url.url },
  );
}
