import type { TemplateMessage, Tool } from '../../../core/operations/jobs/jobs.ts';
import { oneCallEach } from '../prompt/message-forms.ts';
import type { RenderChat } from '../prompt/render-chat.ts';
import type { AnswerParts } from '../thinking/read-thinking.ts';
import {
  besideMarks,
  HERMES,
  textsOf,
  writeCalls,
  type CallFormat,
  type Slot,
} from './format/call-format.ts';
import { generalToolPrompt } from './general-prompt.ts';
import { KNOWN_FORMATS } from './format/known-formats.ts';
import { ProbedCalls } from './format/probed-calls.ts';
import { readCallFormat } from './format/read-call-format.ts';

/** How tools are written into a prompt, and how the model calls them. */
export interface TemplateTools {
  render: RenderChat;
  callFormat: CallFormat;
  /** Whether the format is the template's own; otherwise the prompt describes it to the model. */
  isNative: boolean;
}

/** What the reading of a template needs to know of its model. */
export interface ModelMarks {
  /** The parts of an answer beside calls. */
  parts: AnswerParts;
  /** Texts of the tokens that end a turn. */
  stops: readonly string[];
}

/**
 * Reads from a template how its model calls tools. If the template ignores tools, or writes calls in a form that cannot be
 * read, the general prompt is used.
 */
export function templateTools(render: RenderChat, { parts, stops }: ModelMarks): TemplateTools {
  const known = knownFormat(render);
  const read = known ? undefined : readCallFormat(render, parts);
  const within = withinTurn(known?.format ?? read, stops);
  if (!within) return { render: generalToolPrompt(render), callFormat: HERMES, isNative: false };
  const { thinking, answer } = parts;
  const marks = [thinking?.marks.open ?? '', answer.begin, ...answer.around];
  const format = besideMarks(within, marks);
  const own = known?.writesCalls === false ? callsAsText(render, format) : render;
  const isSeveral = format.separator !== undefined;
  return { render: isSeveral ? own : callsInTurn(own), callFormat: format, isNative: true };
}

/** gpt-oss' template has a place for one call in a message, and leaves out others without a word. */
function callsInTurn(render: RenderChat): RenderChat {
  return (messages, options, tools) => render(oneCallEach(messages), options, tools);
}

function knownFormat(render: RenderChat) {
  const { asked, knowsTools } = new ProbedCalls(render);
  return knowsTools ? KNOWN_FORMATS.find(({ sign }) => asked.includes(sign)) : undefined;
}

/** The format without what a model cannot write, because a token in it ends the turn; undefined if no call is left. */
function withinTurn(
  format: CallFormat | undefined,
  stops: readonly string[],
): CallFormat | undefined {
  if (!format) return undefined;
  const ends = (text: string) => stops.some((stop) => stop !== '' && text.includes(stop));
  if (!textsOf(format).some(ends)) return format;
  const { begin, end, separator, head, tail } = format;
  if ([begin, ...head].some((slot) => typeof slot === 'string' && ends(slot))) return undefined;
  const kept: Slot[] = [];
  for (const slot of tail) {
    kept.push(typeof slot === 'string' ? before(slot, stops) : slot);
    if (typeof slot === 'string' && ends(slot))
      return { ...format, tail: kept, end: '', separator: undefined };
  }
  const isSeveral = separator !== undefined && !ends(separator);
  return { ...format, separator: isSeveral ? separator : undefined, end: before(end, stops) };
}

function before(text: string, stops: readonly string[]): string {
  const places = stops.filter((stop) => stop !== '').map((stop) => text.indexOf(stop));
  return text.slice(0, Math.min(text.length, ...places.filter((at) => at >= 0)));
}

/** For templates that ignore the calls in a conversation: they are written as the model writes them. */
function callsAsText(render: RenderChat, format: CallFormat): RenderChat {
  const asText = ({ toolCalls = [], ...message }: TemplateMessage): TemplateMessage => {
    if (toolCalls.length === 0) return message;
    const calls = toolCalls.map(({ name, arguments: json }) => ({ name, json }));
    return { ...message, content: message.content + writeCalls(format, calls) };
  };
  return (messages, options, tools?: readonly Tool[]) =>
    render(messages.map(asText), options, tools);
}
