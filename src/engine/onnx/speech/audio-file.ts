import type { SpeakEvent } from '../../../core/protocol/events.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** A file that is written while it is being sent. Samples are mono, full scale is ±1. */
export interface AudioFile {
  /** The file's first bytes while nobody knows how long it will be. */
  readonly openingHeader: Bytes;
  /** The bytes that are ready after these samples; an encoder may keep some back. */
  encode(samples: Float32Array): Bytes;
  /** The rest of the bytes, and the header as it would have been: as long as the opening one. */
  finish(): { bytes: Bytes; header: Bytes };
}

/**
 * Pieces of a speech as the events of its file, one for each piece. A speech of one piece has its length
 * in the header; of a longer one the first bytes are sent before the length is known.
 *
 * @param sampleRate - hertz
 */
export async function* audioEvents(
  file: AudioFile,
  pieces: AsyncIterable<{ samples: Float32Array; isLast: boolean }>,
  sampleRate: number,
): AsyncGenerator<SpeakEvent, void, undefined> {
  let isFirst = true;
  let total = 0;
  for await (const { samples, isLast } of pieces) {
    total += samples.length;
    const bytes = file.encode(samples);
    if (isLast) {
      const end = file.finish();
      yield audio(...(isFirst ? [end.header] : []), bytes, end.bytes);
      yield { type: 'spoken', seconds: total / sampleRate, header: end.header };
      return;
    }
    yield audio(...(isFirst ? [file.openingHeader] : []), bytes);
    isFirst = false;
  }
}

function audio(...parts: Bytes[]): SpeakEvent {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return { type: 'audio', bytes };
}
