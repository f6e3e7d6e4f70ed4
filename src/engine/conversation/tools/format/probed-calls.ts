import type { TemplateMessage, Tool, ToolCall } from '../../../../core/operations/jobs/jobs.ts';
import { commonLength } from '../../../../core/text/common-length.ts';
import type { RenderChat } from '../../prompt/render-chat.ts';

/** Ids of nine characters: some templates insist on that length. */
export const IDS = ['firstid01', 'otherid02'];
/** The names of the calls. No tool has them, so that they occur in the calls only. */
export const NAMES = ['xfirstx', 'yothery'];
export const RESULT = 'qresultq';
export const TEXT = 'qtextq';

/** The tool that a template has to list. */
export const TOOL: Tool = {
  name: 'probe_tool',
  description: 'A probe',
  parameters: {
    type: 'object',
    properties: { probed: { type: 'string', description: 'Any' } },
    required: ['probed'],
  },
};

const QUESTION: TemplateMessage = { role: 'user', content: 'Probe.' };

/** Renders conversations that differ in their calls. */
export class ProbedCalls {
  readonly #render: RenderChat;

  constructor(render: RenderChat) {
    this.#render = render;
  }

  /** Whether a prompt lists the tools. */
  get knowsTools(): boolean {
    return this.asked.includes(TOOL.name);
  }

  /** The prompt of a question. */
  get asked(): string {
    return this.#try([QUESTION]) ?? '';
  }

  /** What follows an answer in plain text, up to the next question. */
  get afterText(): string {
    const text = this.#try([
      QUESTION,
      { role: 'assistant', content: TEXT },
      { role: 'user', content: RESULT },
    ]);
    return between(text ?? '', TEXT, RESULT);
  }

  /**
   * A conversation in which the model makes calls with these arguments, from the first place where it differs from the
   * question's prompt; undefined if the template cannot render it.
   *
   * @param followed - whether results of the calls follow, or a question
   */
  called(
    json: readonly string[],
    content = '',
    followed: 'result' | 'question' = 'result',
  ): string | undefined {
    const toolCalls = json.map((each, index): ToolCall => ({
      id: IDS[index] ?? '',
      name: NAMES[index] ?? '',
      arguments: each,
    }));
    const results = toolCalls.map(({ id, name }): TemplateMessage => ({
      role: 'tool',
      content: RESULT,
      toolCallId: id,
      name,
    }));
    const next: TemplateMessage[] =
      followed === 'result' ? results : [{ role: 'user', content: RESULT }];
    const text = this.#try([QUESTION, { role: 'assistant', content, toolCalls }, ...next]);
    return text?.slice(divergence(this.asked, text));
  }

  #try(messages: TemplateMessage[]): string | undefined {
    try {
      return this.#render(messages, {}, [TOOL]);
    } catch {
      return undefined;
    }
  }
}

/** Where two prompts begin to differ; not in the middle of a mark. */
function divergence(one: string, other: string): number {
  const at = commonLength(one, other);
  const [begun = ''] = /<[^<>\s]*$/.exec(one.slice(0, at)) ?? [];
  return at - begun.length;
}

/** The text between two others; empty if one is missing. */
export function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  return start < 0 || end < 0 ? '' : text.slice(start + from.length, end);
}
