import { VALUE_TYPES, type ValueType } from '../../../../core/grammar/values/objects/notation.ts';
import type { Tool } from '../../../../core/operations/jobs/jobs.ts';
import { overlap } from '../../../../core/text/stop-filter.ts';
import { typeOf, type MembersFormat } from '../format/call-format.ts';
import type { ArgumentsReader, ReadArguments } from './json-arguments.ts';
import { skipSpace } from '../match-slots.ts';
import { ToolSchema } from './parameter-types.ts';
import { valueJson } from './python-values.ts';

/** A value that is being read. */
interface OpenValue {
  /** Types of the value, as far as they are known before it ends. */
  types: ReadonlySet<ValueType>;
  /** A string that is passed on while it streams. */
  isString: boolean;
  /** Whether a part of the string has been passed on. */
  isBegun: boolean;
}

/**
 * Reads arguments that are written one by one with marks, `<parameter=city>Bern</parameter>`, into a JSON object. They
 * end where no argument's mark follows.
 */
export class MarkedArguments implements ArgumentsReader {
  readonly #format: MembersFormat;
  readonly #schema: ToolSchema;
  #value: OpenValue | undefined;
  #count = 0;
  #isOver = false;

  constructor(format: MembersFormat, tool: Tool) {
    this.#format = format;
    this.#schema = ToolSchema.of(tool);
  }

  read(text: string): ReadArguments {
    let json = '';
    let used = 0;
    for (;;) {
      const rest = text.slice(used);
      const step = this.#value ? this.#readValue(this.#value, rest) : this.#readName(rest);
      json += step.json;
      used += step.used;
      if (step.used === 0 || this.#isOver) return { json, used, isOver: this.#isOver };
    }
  }

  finish(): string {
    return this.#value || this.#isOver ? '' : this.#closed();
  }

  #closed(): string {
    this.#isOver = true;
    return this.#count === 0 ? '{}' : '}';
  }

  #readName(text: string): { json: string; used: number } {
    const mark = this.#format.name;
    const separator = this.#count > 0 ? this.#format.separator.trim() : '';
    const start = skipSpace(text, 0);
    const expected = separator + mark;
    if (!text.startsWith(expected, start)) {
      const isOpen = expected.startsWith(text.slice(start));
      return { json: isOpen ? '' : this.#closed(), used: 0 };
    }
    const begin = start + expected.length;
    const found = this.#assigned(text, begin);
    if (!found) return { json: '', used: 0 };
    const name = text.slice(begin, found.start).trim();
    const types = meet(found.types, this.#schema.member(name).types);
    this.#value = { types, isString: types.size === 1 && types.has('string'), isBegun: false };
    const comma = this.#count++ === 0 ? '{' : ', ';
    return { json: `${comma}${JSON.stringify(name)}: `, used: found.end };
  }

  /** The first mark between a name and a value, and the types of values that it is for. */
  #assigned(text: string, from: number) {
    const { marks } = this.#format;
    const found = VALUE_TYPES.map((type) => ({
      type,
      ...spacedMatch(text, from, marks[type].before),
    }));
    const start = Math.min(...found.map((each) => each.start ?? Infinity));
    if (start === Infinity) return undefined;
    const first = found.filter((each) => each.start === start);
    const end = Math.max(...first.map((each) => each.end ?? 0));
    // A line break that belongs to the mark may follow.
    if (end === text.length && first.some(({ type }) => /\s$/.test(marks[type].before))) {
      return undefined;
    }
    return { start, end, types: new Set(first.map(({ type }) => type)) };
  }

  #readValue(value: OpenValue, text: string): { json: string; used: number } {
    const { after } =
      this.#format.marks[value.isString ? 'string' : ([...value.types][0] ?? 'string')];
    const mark = after.trim();
    const at = text.indexOf(mark);
    if (at < 0) return value.isString ? this.#stringPart(value, text, mark) : { json: '', used: 0 };
    const lead = after.slice(0, after.indexOf(mark));
    const ending = text.slice(0, at);
    const written = lead !== '' && ending.endsWith(lead) ? ending.slice(0, -lead.length) : ending;
    this.#value = undefined;
    const used = at + mark.length;
    if (value.isString) return { json: `${begun(value)}${escaped(written)}"`, used };
    const json = valueJson(written);
    const isValue = json !== undefined && value.types.has(typeOf(JSON.parse(json)));
    return { json: isValue ? json : JSON.stringify(written), used };
  }

  /** Passes on what cannot be the beginning of the mark, or white space before it. */
  #stringPart(value: OpenValue, text: string, mark: string): { json: string; used: number } {
    const certain = text.slice(0, text.length - overlap(text, mark)).trimEnd();
    // Half of a character is not JSON.
    const whole = /[\ud800-\udbff]$/.test(certain) ? certain.slice(0, -1) : certain;
    if (whole === '') return { json: '', used: 0 };
    const json = begun(value) + escaped(whole);
    value.isBegun = true;
    return { json, used: whole.length };
  }
}

function begun({ isBegun }: OpenValue): string {
  return isBegun ? '' : '"';
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Where a text stands, with any white space where it has white space; after its end, as much as it has. */
function spacedMatch(text: string, from: number, mark: string): { start?: number; end?: number } {
  const pieces = mark
    .trimEnd()
    .split(/\s+/)
    .map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  const space = mark.endsWith('\n') ? '\\n?' : '';
  const found = new RegExp(pieces.join('\\s*') + space).exec(text.slice(from));
  return found ? { start: from + found.index, end: from + found.index + found[0].length } : {};
}

function meet(
  marked: ReadonlySet<ValueType>,
  typed: ReadonlySet<ValueType> | undefined,
): ReadonlySet<ValueType> {
  const both = [...marked].filter((type) => typed?.has(type) ?? true);
  return both.length > 0 ? new Set(both) : marked;
}
