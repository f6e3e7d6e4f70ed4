import type { MembersFormat } from '../format/call-format.ts';
import { quoteOf } from '../../../../core/grammar/values/objects/written.ts';
import type { ArgumentsReader, ReadArguments } from './json-arguments.ts';
import { valueJson } from './python-values.ts';

/**
 * Reads arguments whose names have no quotes and whose strings have marks around them, `city:<|"|>Bern<|"|>,days:3`, into a
 * JSON object. They end before a bracket that they did not open, and are passed on all at once.
 */
export class BareArguments implements ArgumentsReader {
  readonly #quote: string;

  constructor(format: MembersFormat) {
    this.#quote = quoteOf(format);
  }

  read(text: string): ReadArguments {
    const tokens: string[] = ['{'];
    let depth = 0;
    for (let at = 0; at < text.length;) {
      const token = this.#token(text, at);
      if (token === undefined) break;
      if (/^[[{]$/.test(token)) depth++;
      if (/^[\]}]$/.test(token)) depth--;
      if (depth < 0) return { json: this.#json([...tokens, '}']), used: at, isOver: true };
      tokens.push(token);
      at += token.length;
    }
    return { json: '', used: 0, isOver: false };
  }

  finish(): string {
    return '';
  }

  /** A string with its marks, a sign, or a word; undefined if it is not whole. */
  #token(text: string, at: number): string | undefined {
    if (text.startsWith(this.#quote, at)) {
      const end = text.indexOf(this.#quote, at + this.#quote.length);
      return end < 0 ? undefined : text.slice(at, end + this.#quote.length);
    }
    const [sign] = /^[[\]{},:]/.exec(text.slice(at)) ?? [];
    if (sign !== undefined) return sign;
    const rest = text.slice(at);
    if (this.#quote.startsWith(rest)) return undefined;
    const quote = rest.indexOf(this.#quote, 1);
    const [word = ''] = /^[^[\]{},:]+/.exec(quote < 0 ? rest : rest.slice(0, quote)) ?? [];
    return word.length === rest.length ? undefined : word;
  }

  #json(tokens: readonly string[]): string {
    const written = tokens.filter((token) => token.trim() !== '');
    return written.map((token, index) => this.#written(token, written[index + 1] === ':')).join('');
  }

  #written(token: string, isName: boolean): string {
    if (/^[[\]{}]$/.test(token)) return token;
    if (token === ',' || token === ':') return `${token} `;
    const isString = token.startsWith(this.#quote);
    const value = isString ? token.slice(this.#quote.length, -this.#quote.length) : token.trim();
    return isString || isName ? JSON.stringify(value) : (valueJson(value) ?? JSON.stringify(value));
  }
}
