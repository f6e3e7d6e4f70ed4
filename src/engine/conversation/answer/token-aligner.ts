import type { GenerateEvent, TokenLogprob } from '../../../core/operations/events/events.ts';
import type { ParsedEvent } from './output-parser.ts';
import type { SampledToken } from '../sampling/sampler.ts';
import { bytesText, tokenLogprob } from '../sampling/token-chances.ts';
import type { TokenBytes } from './vocabulary.ts';

/**
 * Tokens that together make whole characters; usually one token. Positions are UTF-16 units of the
 * output.
 */
interface Group {
  tokens: TokenLogprob[];
  text: string;
  start: number;
  end: number;
}

/**
 * Assigns tokens to the text that they make. Output that is not text (thinking, calls, anything after a
 * stop string) is left out. If a token is partly text, only that part stays. Text is emitted in whole
 * tokens: a token that a stop string could still cut is held back.
 */
export class TokenAligner {
  readonly #vocabulary: TokenBytes;
  readonly #hidden: ReadonlyMap<number, string>;
  /** Tokens whose last character is incomplete. */
  #open: TokenLogprob[] = [];
  #groups: Group[] = [];
  /** Where the next group of tokens begins. */
  #end = 0;
  /** Text that waits for the rest of its last token. */
  #held = { text: '', start: 0 };

  /** @param hidden - texts of the tokens that the output does not show, by id */
  constructor(vocabulary: TokenBytes, hidden: ReadonlyMap<number, string> = new Map()) {
    this.#vocabulary = vocabulary;
    this.#hidden = hidden;
  }

  /** Takes the sampled tokens, before the events that they lead to. */
  push(tokens: readonly SampledToken[]): void {
    for (const token of tokens) {
      if (this.#hidden.has(token.id)) continue;
      this.#open.push(tokenLogprob(this.#vocabulary, token));
      if (!endsInsideCharacter(this.#open)) this.#closeGroup();
    }
  }

  align(events: readonly ParsedEvent[]): GenerateEvent[] {
    return events.flatMap((event) =>
      event.type === 'text' ? this.#text(event.text, event.end) : [...this.#flush(), event],
    );
  }

  /** To be called when the output ends: gives what was held back. */
  finish(): GenerateEvent[] {
    if (this.#open.length > 0) this.#closeGroup();
    return this.#flush();
  }

  #flush(): GenerateEvent[] {
    return this.#emit(this.#heldEnd);
  }

  get #heldEnd(): number {
    return this.#held.start + this.#held.text.length;
  }

  #text(text: string, end: number): GenerateEvent[] {
    const start = end - text.length;
    const before = start === this.#heldEnd ? [] : this.#flush();
    if (this.#held.text === '') this.#held = { text, start };
    else this.#held.text += text;
    const whole = this.#groups.findLast((group) => group.end <= this.#heldEnd);
    return whole ? [...before, ...this.#emit(whole.end)] : before;
  }

  #emit(end: number): GenerateEvent[] {
    const { text, start } = this.#held;
    if (end <= start) return [];
    this.#held = { text: text.slice(end - start), start: end };
    const touched = this.#groups.filter((group) => group.end > start && group.start < end);
    this.#groups = this.#groups.filter((group) => group.end > end);
    const logprobs = touched.flatMap((group) => cut(group, start, end));
    return [{ type: 'text', text: text.slice(0, end - start), logprobs }];
  }

  #closeGroup(): void {
    const bytes = this.#open.flatMap((token) => token.bytes);
    const isFirst = this.#end === 0 && this.#groups.length === 0;
    const lacksSpace = isFirst && this.#vocabulary.stripsFirstSpace && bytes[0] === SPACE;
    const group = { tokens: this.#open, text: bytesText(bytes), start: 0, end: 0 };
    this.#open = [];
    group.start = this.#end - (lacksSpace ? 1 : 0);
    group.end = group.start + group.text.length;
    this.#end = group.end;
    this.#groups.push(group);
  }
}

const SPACE = 0x20;
const encoder = new TextEncoder();

/** The group's tokens, without their bytes outside the range. */
function cut(group: Group, start: number, end: number): TokenLogprob[] {
  if (start <= group.start && group.end <= end) return group.tokens;
  const bytesTo = (place: number) =>
    encoder.encode(group.text.slice(0, Math.max(0, place - group.start))).length;
  const [from, to] = [bytesTo(start), bytesTo(end)];
  let at = 0;
  return group.tokens.flatMap((token) => {
    const bytes = token.bytes.slice(Math.max(0, from - at), Math.max(0, to - at));
    at += token.bytes.length;
    return bytes.length === 0 ? [] : [{ ...token, bytes, token: bytesText(bytes) }];
  });
}

function endsInsideCharacter(tokens: TokenLogprob[]): boolean {
  const bytes = tokens.flatMap((token) => token.bytes);
  for (let back = 1; back <= 3; back++) {
    const byte = bytes.at(-back) ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return bytesOfCharacter(byte) > back;
  }
  return false;
}

function bytesOfCharacter(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}
