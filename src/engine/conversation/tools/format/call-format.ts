import type { Notation, ValueType } from '../../../../core/grammar/values/objects/notation.ts';
import { writtenMembers } from '../../../../core/grammar/values/objects/written.ts';
import { parseExact } from '../../../../core/text/exact-json.ts';

/** A part of a call: a text, or the place of something that differs from call to call. */
export type Slot =
  | string
  | { is: 'name' }
  /** An id that the model invents. It is kept if it is valid and unique. */
  | { is: 'id' }
  /** The call's place in the answer, counted from `first`. */
  | { is: 'index'; first: number };

/** How a model writes calls: what is read from its chat template. */
export interface CallFormat {
  /** Before the first call, and after the last one. */
  begin: string;
  end: string;
  /** Between two calls; undefined: an answer has one call at most. */
  separator: string | undefined;
  /** A call up to its arguments. */
  head: readonly Slot[];
  arguments: ArgumentsFormat;
  /** A call after its arguments. */
  tail: readonly Slot[];
  /** Whether the mark that a call begins with begins texts or thoughts as well: harmony's channels. */
  sharesMark?: boolean;
}

/** Arguments are a JSON object, or written one by one. */
export type ArgumentsFormat = { kind: 'json' } | MembersFormat;

export interface MembersFormat extends Notation {
  kind: 'members';
}

/** The general form, for templates that know no tools: that of Hermes, which most models have seen. */
export const HERMES: CallFormat = {
  begin: '',
  end: '',
  separator: '\n',
  head: ['<tool_call>\n{"name": "', { is: 'name' }, '", "arguments": '],
  arguments: { kind: 'json' },
  tail: ['}\n</tool_call>'],
};

/** A call as clients know it. */
export interface WrittenCall {
  name: string;
  /** The arguments, a JSON object. */
  json: string;
}

/** Calls as a model writes them in this format. */
export function writeCalls(format: CallFormat, calls: readonly WrittenCall[], id = ID): string {
  const { begin, end, separator = '', head, tail } = format;
  const written = calls.map(({ name, json }, index) => {
    const fill = (slots: readonly Slot[]) =>
      slots.map((slot) => filled(slot, name, id, index)).join('');
    return fill(head) + writeArguments(format.arguments, json) + fill(tail);
  });
  return begin + written.join(separator) + end;
}

/** Any id of the length that most templates insist on. */
const ID = 'call00000';

function filled(slot: Slot, name: string, id: string, index: number): string {
  if (typeof slot === 'string') return slot;
  switch (slot.is) {
    case 'name':
      return name;
    case 'id':
      return id;
    case 'index':
      return String(slot.first + index);
  }
}

export function writeArguments(format: ArgumentsFormat, json: string): string {
  if (format.kind === 'json') return json;
  const members = parseExact(json);
  return typeof members === 'object' && members !== null ? writtenMembers(format, members) : '';
}

export function typeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'boolean';
  return typeof value === 'string' ? 'string' : 'number';
}

/** The mark that a call begins with, e.g. `<tool_call>`: no other text has it. Undefined: a call begins with no mark. */
export function markOf(format: CallFormat): string | undefined {
  return format.sharesMark ? openingOf(format) : firstMark(format);
}

/** The text before the first name. */
function openingOf({ begin, head: [first = ''] }: CallFormat): string {
  return (begin + (typeof first === 'string' ? first : '')).trimStart();
}

function firstMark(format: CallFormat): string | undefined {
  return OPENING.exec(openingOf(format))?.[0];
}

/** @param marks - of texts and thoughts */
export function besideMarks(format: CallFormat, marks: readonly string[]): CallFormat {
  const mark = firstMark(format);
  const isShared = mark !== undefined && marks.some((other) => other.includes(mark));
  return isShared ? { ...format, sharesMark: true } : format;
}

/** The mark that calls end with, e.g. `</tool_call>`. Undefined: they end with no mark. */
export function closingOf({ tail, end }: CallFormat): string | undefined {
  const last = tail.at(-1) ?? '';
  const ending = (typeof last === 'string' ? last : '') + end;
  return CLOSING.exec(ending.trimEnd())?.[0];
}

/** A piece in angle brackets, or a word in capitals in square ones. */
export const MARK = /<[^<>\s]+>|\[\/?[A-Z_]{3,}\]/;
const CLOSING = new RegExp(`(?:${MARK.source})$`);

/** One or more pieces in angle brackets, or a word in capitals in square ones. */
const OPENING = /^(?:\]<\]\w+\[>\[)?(?:<[^<>\s]*[^<>\s=:]>|\[[A-Z_]{3,}\])/;

/** All texts of a format. */
export function textsOf({
  begin,
  end,
  separator,
  head,
  arguments: form,
  tail,
}: CallFormat): string[] {
  const members = form.kind === 'json' ? [] : membersTexts(form);
  const slots = [...head, ...tail].filter((slot) => typeof slot === 'string');
  return [begin, end, separator ?? '', ...slots, ...members];
}

function membersTexts({ name, marks, separator }: MembersFormat): string[] {
  return [name, separator, ...Object.values(marks).flatMap(({ before, after }) => [before, after])];
}
