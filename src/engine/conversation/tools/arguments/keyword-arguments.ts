import type { ArgumentsReader, ReadArguments } from './json-arguments.ts';

const WORDS = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ...['true', 'false', 'null'].map((word): [string, string] => [word, word]),
]);

/** Python's escape sequences that JSON lacks. */
const ESCAPES = new Map([
  ["'", "'"],
  ['a', '\\u0007'],
  ['v', '\\u000b'],
  ['0', '\\u0000'],
  ['\n', ''],
]);

/**
 * Turns Python's keyword arguments, `city="Bern", days=3`, into a JSON object. They end before the
 * call's closing bracket.
 */
export class KeywordArguments implements ArgumentsReader {
  /** What is being read; a word is a keyword's name, a number or a constant. */
  #state: 'start' | 'free' | 'word' | 'string' | 'escape' | 'hex' = 'start';
  #depth = 0;
  #expectsName = true;
  #quote = '';
  #held = '';
  #hexLeft = 0;

  read(text: string): ReadArguments {
    let json = '';
    if (this.#state === 'start' && text !== '') {
      json = '{';
      this.#state = 'free';
    }
    for (let at = 0; at < text.length; at++) {
      const char = text.charAt(at);
      if (this.#state === 'word' && !/[\w.+-]/.test(char)) json += this.#endWord();
      if (this.#state === 'free' && char === ')' && this.#depth === 0) {
        return { json: `${json}}`, used: at, isOver: true };
      }
      json += this.#read(char);
    }
    return { json, used: text.length, isOver: false };
  }

  finish(): string {
    return '';
  }

  #read(char: string): string {
    switch (this.#state) {
      case 'start':
      case 'free':
        return this.#free(char);
      case 'word':
        this.#held += char;
        return '';
      case 'string':
        return this.#string(char);
      case 'escape':
        return this.#escape(char);
      case 'hex':
        this.#held += char;
        if (--this.#hexLeft > 0) return '';
        this.#state = 'string';
        return `\\u${this.#take().padStart(4, '0')}`;
    }
  }

  #free(char: string): string {
    if (char === '"' || char === "'") {
      this.#state = 'string';
      this.#quote = char;
      return '"';
    }
    if (/[\w.+-]/.test(char)) {
      this.#state = 'word';
      this.#held = char;
      return '';
    }
    if ('[{('.includes(char)) this.#depth++;
    if (']})'.includes(char)) this.#depth--;
    if (char === '=') this.#expectsName = false;
    if (char === ',') this.#expectsName = this.#depth === 0;
    if (char === '=') return ': ';
    if (char === ',') return ', ';
    if (char === ':') return ': ';
    if (char === '(') return '[';
    if (char === ')') return ']';
    return char.trim();
  }

  #endWord(): string {
    this.#state = 'free';
    const word = this.#take();
    if (this.#expectsName) return JSON.stringify(word);
    if (/^[+-]?[\d.]/.test(word)) return word.replaceAll('_', '').replace(/^\+/, '');
    return WORDS.get(word) ?? JSON.stringify(word);
  }

  #string(char: string): string {
    if (char === this.#quote) {
      this.#state = 'free';
      return '"';
    }
    if (char === '\\') {
      this.#state = 'escape';
      return '';
    }
    return JSON.stringify(char).slice(1, -1);
  }

  #escape(char: string): string {
    this.#state = 'string';
    if (char === 'u' || char === 'x') {
      this.#state = 'hex';
      this.#hexLeft = char === 'u' ? 4 : 2;
      return '';
    }
    if ('"\\/bfnrt'.includes(char)) return `\\${char}`;
    // Like Python, leaves an unknown escape sequence as it is.
    return ESCAPES.get(char) ?? `\\\\${JSON.stringify(char).slice(1, -1)}`;
  }

  #take(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}
