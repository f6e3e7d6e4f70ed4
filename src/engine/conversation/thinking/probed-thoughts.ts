import type { TemplateMessage } from '../../../core/operations/jobs/jobs.ts';
import type { RenderChat } from '../prompt/render-chat.ts';
import { between, IDS, NAMES, TOOL } from '../tools/format/probed-calls.ts';

export const QUESTION = 'qaskedq';
export const THOUGHT = 'qthoughtq';
export const ANSWER = 'qansweredq';
const NEXT = 'qnextq';

type Options = Record<string, unknown>;

/** An assistant's message in a conversation: what stands before the thought, and from it to what was said. */
export interface Told {
  before: string;
  after: string;
}

/** Renders conversations that differ in their thoughts. */
export class ProbedThoughts {
  readonly #render: RenderChat;

  constructor(render: RenderChat) {
    this.#render = render;
  }

  /** The prompt of a question; undefined if the template cannot render it. */
  asked(options: Options = {}): string | undefined {
    return this.#try([{ role: 'user', content: QUESTION }], options);
  }

  /** What a prompt has after the question: with that, an answer begins. */
  begun(options: Options = {}): string {
    return afterLast(this.asked(options) ?? '', QUESTION);
  }

  /** What stands between a question and an answer without a thought, and between the answer and the next question. */
  answered(options: Options = {}): Told {
    const text = this.#try(conversation({ content: ANSWER }, 'question'), options) ?? '';
    return { before: between(text, QUESTION, ANSWER), after: between(text, ANSWER, NEXT) };
  }

  /** The thoughts that the template writes: many show a thought only if a call follows it, or only in the last message. */
  told(options: Options = {}): Told[] {
    const call = { id: IDS[0] ?? '', name: NAMES[0] ?? '', arguments: '{"aakey": "avalue"}' };
    const thinking = { reasoning: THOUGHT };
    const conversations = [
      conversation({ ...thinking, content: ANSWER }, 'question'),
      conversation({ ...thinking, content: ANSWER }, 'nothing'),
      conversation({ ...thinking, content: ANSWER, toolCalls: [call] }, 'result'),
      conversation({ ...thinking, content: '', toolCalls: [call] }, 'result'),
    ];
    return conversations.flatMap((messages) => {
      const text = this.#try(messages, options, messages.at(-1)?.role === 'tool') ?? '';
      if (!text.includes(THOUGHT)) return [];
      const [after = ''] = afterLast(text, THOUGHT).split(new RegExp(`${ANSWER}|${call.name}`));
      return [{ before: between(text, QUESTION, THOUGHT), after }];
    });
  }

  #try(messages: TemplateMessage[], options: Options, hasTools = false): string | undefined {
    try {
      return this.#render(messages, options, hasTools ? [TOOL] : undefined);
    } catch {
      return undefined;
    }
  }
}

function conversation(
  message: Omit<TemplateMessage, 'role'>,
  followed: 'question' | 'result' | 'nothing',
): TemplateMessage[] {
  const said: TemplateMessage[] = [
    { role: 'user', content: QUESTION },
    { role: 'assistant', ...message },
  ];
  switch (followed) {
    case 'question':
      return [...said, { role: 'user', content: NEXT }];
    case 'result':
      return [
        ...said,
        { role: 'tool', content: NEXT, toolCallId: IDS[0] ?? '', name: NAMES[0] ?? '' },
      ];
    case 'nothing':
      return said;
  }
}

function afterLast(text: string, mark: string): string {
  const at = text.lastIndexOf(mark);
  return at < 0 ? '' : text.slice(at + mark.length);
}
