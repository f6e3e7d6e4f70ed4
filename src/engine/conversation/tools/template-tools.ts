import type { TemplateMessage, Tool } from '../../../core/operations/jobs.ts';
import type { RenderChat } from '../prompt/render-chat.ts';
import { CALL_FAMILIES, type CallFamily } from './call-syntax.ts';
import { CallParser } from './call-parser.ts';
import { generalToolPrompt } from './general-prompt.ts';

/** How tools are written into a prompt, and how the model calls them. */
export interface TemplateTools {
  render: RenderChat;
  family: CallFamily;
}

const PROBE: Tool = {
  name: 'probe_tool',
  description: 'A probe',
  parameters: { type: 'object', properties: { probed: { type: 'string' } } },
};

/** A conversation to probe a template with. */
const QUESTION: TemplateMessage = { role: 'user', content: 'Probe.' };
const CALLED: TemplateMessage[] = [
  QUESTION,
  {
    role: 'assistant',
    content: '',
    toolCalls: [{ id: 'probecall', name: PROBE.name, arguments: '{"probed": "yes"}' }],
  },
  { role: 'tool', content: '"done"', toolCallId: 'probecall', name: PROBE.name },
];

/**
 * Finds out by rendering a call which family a template belongs to. If the template ignores tools,
 * or writes calls in an unknown form, the general prompt is used.
 */
export function templateTools(render: RenderChat): TemplateTools {
  const families: readonly CallFamily[] = Object.values(CALL_FAMILIES);
  const family = families.find((each) => isFamily(render, each));
  return family
    ? { render, family }
    : { render: generalToolPrompt(render), family: CALL_FAMILIES.hermes };
}

function isFamily(render: RenderChat, family: CallFamily): boolean {
  const told = tryRender(render, [QUESTION]);
  if (!told.includes(PROBE.name)) return false;
  const history = tryRender(render, CALLED);
  const parser = new CallParser(family, [PROBE.name]);
  const parts = [...parser.push(history), ...parser.flush(false)];
  const isCalled = parts.some(({ type }) => type === 'call');
  const json = parts.map((part) => (part.type === 'arguments' ? part.text : '')).join('');
  return isCalled && json.replaceAll(' ', '') === '{"probed":"yes"}';
}

function tryRender(render: RenderChat, messages: TemplateMessage[]): string {
  try {
    return render(messages, {}, [PROBE]);
  } catch {
    return '';
  }
}
