import { joinedBytes } from '../../../core/joined.ts';
import type { TokenTable } from '../messages.ts';
import type { Llama } from './llama.ts';

/** The bytes of all tokens of a model. */
export function tokenTable(llama: Pick<Llama, 'bytes' | 'vocabularySize'>): TokenTable {
  const all = Array.from({ length: llama.vocabularySize }, (_, token) => llama.bytes(token));
  const ends = new Uint32Array(all.length);
  let end = 0;
  for (const [token, { length }] of all.entries()) ends[token] = end += length;
  return { bytes: joinedBytes(all), ends };
}
