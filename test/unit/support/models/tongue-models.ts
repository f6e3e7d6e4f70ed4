import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const ROOT = join(import.meta.dirname, '../../../..');

/** The children of tiny-chat that think and call in another form; see `models/tiny-chat/README.md`. */
export const TONGUES = ['channels', 'frames', 'tagged'] as const;
export type Tongue = (typeof TONGUES)[number];

export function tonguePack(tongue: string): string {
  return join(ROOT, `models/packs/tiny-chat-${tongue}`);
}

export function tongueFolder(tongue: Tongue): string {
  return join(ROOT, `models/tiny-chat/tongues/${tongue}`);
}

export function readTongueModel(tongue: string): Uint8Array<ArrayBuffer> {
  const name = `tiny-chat-${tongue}-F16.gguf`;
  return Uint8Array.from(readFileSync(join(tonguePack(tongue), name)));
}

/** A held-out conversation with tools that the model answers rightly. */
const casesSchema = v.array(
  v.object({
    kind: v.string(),
    messages: v.array(v.record(v.string(), v.unknown())),
    tools: v.optional(v.array(v.unknown()), []),
    /** The variables of the chat template. */
    variables: v.record(v.string(), v.unknown()),
    /** The text on which the model was trained. */
    prompt: v.string(),
    expect: v.object({
      thought: v.string(),
      calls: v.array(v.object({ name: v.string(), arguments: v.record(v.string(), v.unknown()) })),
      text: v.string(),
    }),
  }),
);
export type TongueCase = v.InferOutput<typeof casesSchema>[number];

export function tongueCases(tongue: Tongue): TongueCase[] {
  return readCases(join(ROOT, `test/fixtures/tiny-chat-${tongue}-cases.json`));
}

export function readCases(path: string | URL): TongueCase[] {
  return v.parse(casesSchema, JSON.parse(readFileSync(path, 'utf8')));
}
