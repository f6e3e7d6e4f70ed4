import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** What `models/library/check` wrote: a forward pass in numpy, computed from the pack's weights. */
const referenceSchema = v.object({
  /** Hash of all shards, one after the other. */
  weightsSha256: v.string(),
  conversations: filled(
    v.object({
      name: v.string(),
      turns: filled(
        v.object({
          text: v.string(),
          tokens: filled(v.number()),
          answer: v.string(),
          steps: filled(filled(v.tuple([v.number(), v.number()]))),
        }),
      ),
    }),
  ),
});

/** An empty list would make every comparison with it succeed. */
function filled<T extends v.GenericSchema>(item: T) {
  return v.pipe(v.array(item), v.minLength(1));
}

export function reference(pack: string) {
  const file = new URL(`../fixtures/reference/${pack}.json`, import.meta.url);
  return v.parse(referenceSchema, JSON.parse(readFileSync(file, 'utf8')));
}
