import type { SampledToken } from '../../conversation/sampling/sampler.ts';
import type { WrittenText } from '../messages.ts';

const SPACE = 0x20;

/**
 * Turns the bytes of tokens into text. The bytes of a character may be spread over several tokens, which
 * are returned with the text that they complete.
 */
export class OutputText {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #waiting: Omit<WrittenText, 'text'> = { ids: [], tokens: [] };
  #dropsSpace: boolean;
  #text = '';

  /** @param dropsSpace - whether to drop the space that the first token begins with */
  constructor(dropsSpace: boolean) {
    this.#dropsSpace = dropsSpace;
  }

  /** Everything so far. */
  get text(): string {
    return this.#text;
  }

  push(id: number, bytes: Uint8Array, tokens: readonly SampledToken[]): WrittenText | undefined {
    this.#waiting.ids.push(id);
    this.#waiting.tokens.push(...tokens);
    const skipped = this.#dropsSpace && bytes[0] === SPACE ? 1 : 0;
    this.#dropsSpace &&= bytes.length === 0;
    const text = this.#decoder.decode(bytes.subarray(skipped), { stream: true });
    // A control token is reported, too: without any sign of life, its model would count as hung.
    return bytes.length === 0 && this.#waiting.ids.length === 1
      ? this.#piece('')
      : this.#take(text);
  }

  /** The tokens that have not made whole characters; undefined if there are none. */
  flush(): WrittenText | undefined {
    const text = this.#decoder.decode();
    // Control tokens have no text; their probabilities may be wanted.
    return this.#waiting.tokens.length > 0 ? this.#piece(text) : this.#take(text);
  }

  #take(text: string): WrittenText | undefined {
    return text === '' ? undefined : this.#piece(text);
  }

  #piece(text: string): WrittenText {
    const piece = { ...this.#waiting, text };
    this.#waiting = { ids: [], tokens: [] };
    this.#text += text;
    return piece;
  }
}
