import { joinedBytes } from '../../../core/joined.ts';
import type { TokenBytes } from '../../conversation/answer/vocabulary.ts';
import type { TokenTable } from '../messages.ts';

const SPACE = 0x20;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of a model's tokens, as llama.cpp gives them. */
export class TokenTexts implements TokenBytes {
  readonly stripsFirstSpace: boolean;
  readonly #table: TokenTable;

  constructor(table: TokenTable, stripsFirstSpace: boolean) {
    this.#table = table;
    this.stripsFirstSpace = stripsFirstSpace;
  }

  /** The tokens as one text. */
  text(ids: readonly number[]): string {
    const parts = ids.map((id) => this.bytes(id));
    const isSpaced = this.stripsFirstSpace && parts[0]?.[0] === SPACE;
    return decoder.decode(joinedBytes(parts)).slice(isSpaced ? 1 : 0);
  }

  /** The text of one token; incomplete characters as U+FFFD. */
  piece(id: number): string {
    return decoder.decode(this.bytes(id));
  }

  bytes(id: number): Uint8Array {
    const { bytes, ends } = this.#table;
    return bytes.subarray(ends[id - 1] ?? 0, ends[id] ?? 0);
  }
}
