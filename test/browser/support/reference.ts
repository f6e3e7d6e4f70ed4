import { readFileSync } from 'node:fs';
import * as v from 'valibot';

/** What `models/library/check` wrote: a forward pass in numpy, straight from the pack's weights. */
const referenceSchema = v.object({
  /** Of all shards, one after the other. */
  weightsSha256: v.string(),
  conversations: v.array(
    v.object({
      name: v.string(),
      turns: v.array(
        v.object({
          text: v.string(),
          tokens: v.array(v.number()),
          answer: v.string(),
          steps: v.array(v.array(v.tuple([v.number(), v.number()]))),
        }),
      ),
    }),
  ),
});

export function reference(pack: string) {
  const file = new URL(`../../fixtures/reference/${pack}.json`, import.meta.url);
  return v.parse(referenceSchema, JSON.parse(readFileSync(file, 'utf8')));
}
