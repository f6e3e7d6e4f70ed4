import type { RenderChat } from '../../prompt/render-chat.ts';
import {
  writeArguments,
  writeCalls,
  type ArgumentsFormat,
  type CallFormat,
} from './call-format.ts';
import {
  NAME,
  commonBeginning,
  commonEnd,
  fromOpening,
  slotsOf,
  toWholeMark,
  upToTurnEnd,
  withIds,
} from './differences.ts';
import type { AnswerParts } from '../../thinking/read-thinking.ts';
import { IDS, NAMES, ProbedCalls, RESULT, TEXT } from './probed-calls.ts';
import { readMembersFormat } from './read-members-format.ts';

/** Arguments of every form: two strings, one, none, and other types. */
const TWO = '{"aakey": "avalue", "bbkey": "bvalue"}';
const ONE = '{"aakey": "avalue"}';
const NONE = '{}';
const TYPED = '{"aakey": 735, "bbkey": "bvalue", "cckey": true}';

/**
 * How a model writes calls, read from its chat template: what differs between conversations that differ in their calls is
 * the format. Undefined if the template knows no tools, or if calls in the format that was read are not what the template
 * writes.
 *
 * @param parts - the parts of an answer beside calls
 */
export function readCallFormat(render: RenderChat, parts: AnswerParts): CallFormat | undefined {
  const probes = new ProbedCalls(render);
  if (!probes.knowsTools) return undefined;
  const one = probes.called([TWO]);
  if (one === undefined) return undefined;
  const args = argumentsFormat(probes, one);
  const format = args && new Reading(probes, args, parts).format();
  return format && isWritten(probes, format) ? format : undefined;
}

function argumentsFormat(probes: ProbedCalls, text: string): ArgumentsFormat | undefined {
  return locate(text, { kind: 'json' }, TWO, 1)
    ? { kind: 'json' }
    : readMembersFormat(probes, NAMES);
}

/** A call in a rendered conversation. */
interface Located {
  /** From the end of the call before, or from where the conversations differ. */
  before: string;
  /** Between the name and the arguments. */
  middle: string;
  /** From the end of the arguments to the result. */
  after: string;
}

/** Finds this many calls with the same arguments. */
function locate(
  text: string,
  format: ArgumentsFormat,
  json: string,
  count: number,
): Located[] | undefined {
  const marked = withIds(text, IDS);
  const found: Located[] = [];
  let from = 0;
  for (const name of NAMES.slice(0, count)) {
    const at = marked.indexOf(name, from);
    const args = at < 0 ? undefined : argumentsIn(marked, at + name.length, format, json);
    if (!args) return undefined;
    const before = marked.slice(from, at);
    if (before.includes(RESULT)) return undefined;
    const middle = marked.slice(at + name.length, args.start).replaceAll(name, NAME);
    found.push({ before, middle, after: '' });
    from = args.end;
  }
  const end = marked.indexOf(RESULT, from);
  const after = marked.slice(from, end < 0 ? marked.length : end);
  return found.map((call) => ({ ...call, after }));
}

function argumentsIn(
  text: string,
  from: number,
  format: ArgumentsFormat,
  json: string,
): { start: number; end: number } | undefined {
  if (format.kind === 'members') {
    const written = writeArguments(format, json);
    const start = inOneQuote(text).indexOf(inOneQuote(written), from);
    return start < 0 ? undefined : { start, end: start + written.length };
  }
  const tokens = json.match(/"[^"]*"|[{},:]/g) ?? [];
  const found = new RegExp(tokens.map((token) => `${token}\\s*`).join('')).exec(text.slice(from));
  if (!found) return undefined;
  const start = from + found.index;
  return { start, end: start + found[0].trimEnd().length };
}

/** Python writes strings in either quotes. */
function inOneQuote(text: string): string {
  return text.replaceAll("'", '"');
}

/** Reads what is around the arguments. */
class Reading {
  readonly #probes: ProbedCalls;
  readonly #arguments: ArgumentsFormat;
  readonly #parts: AnswerParts;

  constructor(probes: ProbedCalls, args: ArgumentsFormat, parts: AnswerParts) {
    this.#probes = probes;
    this.#arguments = args;
    this.#parts = parts;
  }

  format(): CallFormat | undefined {
    const [first] = this.#located(1) ?? [];
    if (!first) return undefined;
    const [one, other] = this.#located(2) ?? [];
    const lead = this.#lead(first.before);
    const after = this.#upToEnd(first.after);
    if (!one || !other) return this.#single(lead, first.middle, after);
    const middle = commonBeginning(one.middle, other.middle);
    if (middle.text.length !== one.middle.length) return this.#single(lead, first.middle, after);
    const before = commonEnd(lead, other.before);
    const { length } = fromOpening(lead, before.text.length);
    const opening = before.text.slice(before.text.length - length);
    const leading = lead.slice(0, lead.length - length);
    const begin = fromOpening(leading, leading.length);
    const ending = other.before.slice(0, other.before.length - length);
    const tail = wholeBeginning(ending, first.after);
    const index = before.first ?? middle.first ?? 0;
    return {
      begin,
      end: begin === '' ? '' : after.slice(tail.length),
      separator: ending.slice(tail.length),
      head: [...slotsOf(opening, index), { is: 'name' }, ...slotsOf(middle.text, index)],
      arguments: this.#arguments,
      tail: slotsOf(tail, index),
    };
  }

  #single(lead: string, middle: string, after: string): CallFormat {
    return {
      begin: '',
      end: '',
      separator: undefined,
      head: [...slotsOf(fromOpening(lead, lead.length), 0), { is: 'name' }, ...slotsOf(middle, 0)],
      arguments: this.#arguments,
      tail: slotsOf(after, 0),
    };
  }

  #located(count: number, content = '', followed?: 'question'): Located[] | undefined {
    const json = Array.from({ length: count }, () => TWO);
    const text = this.#probes.called(json, content, followed);
    return text === undefined ? undefined : locate(text, this.#arguments, TWO, count);
  }

  /** What stands before the first name. A text before it, and a thought, are no part of it. */
  #lead(before: string): string {
    const [withText] = this.#located(1, TEXT) ?? [];
    const [, afterText] = withText?.before.split(TEXT) ?? [];
    const lead = afterText === undefined ? before : commonEnd(before, afterText).text;
    const starts = this.#marks.map(
      (mark) => lead.lastIndexOf(mark) + (lead.includes(mark) ? mark.length : 1),
    );
    return lead.slice(Math.max(0, ...starts));
  }

  /** Marks around thoughts and texts. */
  get #marks(): string[] {
    const { thinking, answer } = this.#parts;
    return [...(thinking ? [thinking.marks.close] : []), ...answer.around];
  }

  /** What stands after the last arguments, without what ends the turn and begins the next one. */
  #upToEnd(after: string): string {
    const [asked] = this.#located(1, '', 'question') ?? [];
    const common = asked ? toWholeMark(commonBeginning(after, asked.after).text) : after;
    const afterText = this.#marks.reduce(
      (text, mark) => (text.startsWith(mark) ? text.slice(mark.length) : text),
      this.#probes.afterText,
    );
    return upToTurnEnd(common, afterText);
  }
}

function wholeBeginning(one: string, other: string): string {
  const { text } = commonBeginning(one, other);
  return text.length === one.length ? text : toWholeMark(text);
}

/** Whether the template writes the same calls as the format does. */
function isWritten(probes: ProbedCalls, format: CallFormat): boolean {
  const isCalled = (json: readonly string[]) => {
    const calls = json.map((each, index) => ({ name: NAMES[index] ?? '', json: each }));
    const squeezed = (text: string) => inOneQuote(text.replaceAll(/\s+/g, ''));
    const text = withIds(probes.called(json) ?? '', IDS);
    return squeezed(text).includes(squeezed(writeCalls(format, calls, '\ue000')));
  };
  const singles = [[ONE], [NONE], [TYPED]];
  const all = format.separator === undefined ? singles : [...singles, [ONE, TWO]];
  return all.every(isCalled);
}
