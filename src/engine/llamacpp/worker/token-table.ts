import type { TokenTable } from '../messages.ts';
import type { Llama } from './llama.ts';

/** The bytes of all tokens of a model. */
export function tokenTable(llama: Pick<Llama, 'bytes' | 'vocabularySize'>): TokenTable {
  const all = Array.from({ length: llama.vocabularySize }, (_, token) => llama.bytes(token));
  const ends = new Uint32Array(all.length);
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const [token, each] of all.entries()) {
    bytes.set(each, end);
    end += each.length;
    ends[token] = end;
  }
  return { bytes, ends };
}
