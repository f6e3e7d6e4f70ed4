import type { Tool } from '../../../../core/operations/jobs/jobs.ts';
import { typeOf, type MembersFormat } from '../format/call-format.ts';
import { skipSpace } from '../match-slots.ts';
import type { ArgumentsReader, ReadArguments } from './json-arguments.ts';
import { ToolSchema } from './parameter-types.ts';
import { valueJson } from './python-values.ts';

/** An element whose end has not come yet. */
interface OpenElement {
  name: string;
  schema: ToolSchema;
  /** Elements in it that have ended. */
  inner: Member[];
}

interface Member {
  name: string;
  json: string;
}

/**
 * Reads arguments that are elements, `<city>Bern</city>`, whose arrays and objects are elements again, into a JSON object.
 * They end where no element begins. Each is passed on when it ends.
 */
export class ElementArguments implements ArgumentsReader {
  readonly #format: MembersFormat;
  readonly #root: ToolSchema;
  readonly #open: OpenElement[] = [];
  #count = 0;
  #isOver = false;

  constructor(format: MembersFormat, tool: Tool) {
    this.#format = format;
    this.#root = ToolSchema.of(tool);
  }

  read(text: string): ReadArguments {
    let json = '';
    let used = 0;
    for (;;) {
      const step = this.#step(text, used);
      if (step === 'more') return { json, used, isOver: this.#isOver };
      json += step.json;
      used = step.end;
      if (this.#isOver) return { json, used, isOver: true };
    }
  }

  finish(): string {
    return this.#open.length > 0 || this.#isOver ? '' : this.#closed();
  }

  #closed(): string {
    this.#isOver = true;
    return this.#count === 0 ? '{}' : '}';
  }

  /** Reads the beginning of an element, or its end with all before it. */
  #step(text: string, from: number): { json: string; end: number } | 'more' {
    const element = this.#open.at(-1);
    const begun = element && !this.#mayHaveInner(element) ? 'no' : this.#beginning(text, from);
    if (begun === 'more') return 'more';
    if (begun !== 'no') {
      const schema = this.#schemaIn(element, begun.name);
      this.#open.push({ name: begun.name, schema, inner: [] });
      return { json: '', end: begun.end };
    }
    if (!element) return { json: this.#closed(), end: from };
    const found = this.#ending(element, text, from);
    if (!found) return 'more';
    this.#open.pop();
    const json = this.#json(element, text.slice(from, found.start));
    return { json: this.#added({ name: element.name, json }), end: found.end };
  }

  #mayHaveInner({ schema: { types } }: OpenElement): boolean {
    const { nested } = this.#format;
    return typeof nested === 'object' && (!types || types.has('array') || types.has('object'));
  }

  #schemaIn(element: OpenElement | undefined, name: string): ToolSchema {
    if (!element) return this.#root.member(name);
    return this.#isItem(name) && element.schema.isArray
      ? element.schema.element(element.inner.length)
      : element.schema.member(name);
  }

  #isItem(name: string): boolean {
    const { nested } = this.#format;
    return typeof nested === 'object' && nested.item === name;
  }

  #beginning(text: string, from: number): { name: string; end: number } | 'no' | 'more' {
    const { name: mark, marks } = this.#format;
    const start = skipSpace(text, from);
    const rest = text.slice(start, start + marks.string.after.length);
    if (
      mark.startsWith(rest) ||
      (rest !== marks.string.after && marks.string.after.startsWith(rest))
    )
      return 'more';
    if (rest === marks.string.after || !text.startsWith(mark, start)) return 'no';
    const at = start + mark.length;
    const end = text.indexOf(marks.string.before, at);
    if (end < 0) return 'more';
    return { name: text.slice(at, end), end: end + marks.string.before.length };
  }

  /** Where an element's closing mark stands. One whose name the tool does not declare may be closed with any name. */
  #ending({ name, schema }: OpenElement, text: string, from: number) {
    const { before, after } = this.#format.marks.string;
    const mark = schema.isDeclared ? after + name + before : after;
    const start = text.indexOf(mark, from);
    const end = start < 0 || schema.isDeclared ? start : text.indexOf(before, start + mark.length);
    if (end < 0) return undefined;
    return { start, end: end + (schema.isDeclared ? mark : before).length };
  }

  #json({ schema, inner }: OpenElement, text: string): string {
    const { types } = schema;
    if (inner.length > 0) {
      const isArray =
        types?.has('object') === true ? false : inner.every(({ name }) => this.#isItem(name));
      if (isArray) return `[${inner.map(({ json }) => json).join(', ')}]`;
      return `{${inner.map(member).join(', ')}}`;
    }
    if (text.trim() === '' && types && !schema.mayBeEmptyText) {
      const empty = EMPTY.find(([type]) => types.has(type));
      if (empty) return empty[1];
    }
    const json = valueJson(text);
    const isValue = json !== undefined && (types?.has(typeOf(JSON.parse(json))) ?? true);
    return isValue ? json : JSON.stringify(text);
  }

  /** What an element that has ended adds to the JSON. */
  #added(ended: Member): string {
    const outer = this.#open.at(-1);
    if (!outer) return (this.#count++ === 0 ? '{' : ', ') + member(ended);
    outer.inner.push(ended);
    return '';
  }
}

/** Values of nothing. */
const EMPTY = [
  ['array', '[]'],
  ['object', '{}'],
  ['null', 'null'],
] as const;

function member({ name, json }: Member): string {
  return `${JSON.stringify(name)}: ${json}`;
}
