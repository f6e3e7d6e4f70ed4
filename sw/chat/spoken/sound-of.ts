import { joinedBytes } from '../../../src/core/joined.ts';
import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import type { SpokenEvent } from './speak-answer.ts';

/** The events of the text of a spoken chat, and its whole sound: one file with its final header. */
export function soundOf(all: readonly SpokenEvent[]): {
  events: GenerateEvent[];
  sound: Uint8Array<ArrayBuffer>;
} {
  const events: GenerateEvent[] = [];
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let header = new Uint8Array(0);
  for (const event of all) {
    if (event.type === 'sound') pieces.push(event.bytes);
    else if (event.type === 'said') header = event.header;
    else events.push(event);
  }
  const sound = joinedBytes(pieces);
  if (header.length <= sound.length) sound.set(header);
  return { events, sound };
}
