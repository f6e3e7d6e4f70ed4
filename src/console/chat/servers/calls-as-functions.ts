import type { Turn } from '../conversation/conversation.ts';
import type { ServerCall, ServerRequest } from './server-step.ts';

/**
 * Turns whose calls of servers are calls of functions with their results, for the chat API, which has no servers. Calls
 * that the user has not allowed say so, as the Responses API does. Calls that still wait for the user are left out.
 */
export function callsAsFunctions(turns: readonly Turn[]): Turn[] {
  return turns.flatMap((turn, index) => {
    const { steps = [], decisions, ...rest } = turn;
    // The calls of functions stand in the turn before.
    if (decisions) return rest.results ? [rest] : [];
    const denied = (turns[index + 1]?.decisions ?? []).filter(({ isApproved }) => !isApproved);
    const refused = new Set(denied.map(({ request }) => request));
    const called = steps.flatMap((step) => {
      switch (step.type) {
        case 'tools':
          return [];
        case 'call':
          return calling(turn, step, resultOf(step));
        case 'request':
          return refused.has(step.id)
            ? calling(turn, step, 'The user did not allow this call.')
            : [];
      }
    });
    if (called.length === 0) return [steps.length > 0 ? rest : turn];
    return [...called, ...(turn.text === '' && !turn.toolCalls ? [] : [rest])];
  });
}

function calling(
  { parent }: Turn,
  { id, name, arguments: given }: ServerCall | ServerRequest,
  result: string,
): Turn[] {
  return [
    { id, parent, role: 'assistant', text: '', toolCalls: [{ id, name, arguments: given }] },
    {
      id: `${id}-result`,
      parent: id,
      role: 'tool',
      text: '',
      results: [{ call: id, name, text: result }],
    },
  ];
}

function resultOf({ output, error }: ServerCall): string {
  return error === '' ? output : `The call failed. ${error}`;
}
