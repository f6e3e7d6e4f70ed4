import { joinedBytes } from '../../../../core/joined.ts';
import type { SpeakEvent } from '../../../../core/operations/events/events.ts';

export type Bytes = Uint8Array<ArrayBuffer>;

/** An audio file that is sent while it is written. Samples are mono, full scale is ±1. */
export interface AudioFile {
  /** The file's first bytes as long as its length is unknown. */
  readonly openingHeader: Bytes;
  /** The bytes that are ready after these samples. An encoder may hold some back. */
  encode(samples: Float32Array): Bytes | Promise<Bytes>;
  /** The remaining bytes, and the header with the file's length. Both headers have the same size. */
  finish(): FileEnd | Promise<FileEnd>;
  /** Frees what the file holds, if `finish` is not called. */
  close?(): Promise<void>;
}

interface FileEnd {
  bytes: Bytes;
  header: Bytes;
}

/**
 * Writes pieces of speech into a file: one event for each piece, then `spoken`. If there is only one piece,
 * the file states its length. Otherwise the first bytes are sent before the length is known.
 *
 * @param sampleRate - hertz
 */
export async function* audioEvents(
  file: AudioFile,
  pieces: AsyncIterable<{ samples: Float32Array; isLast: boolean }>,
  sampleRate: number,
): AsyncGenerator<SpeakEvent, void, undefined> {
  let isFirst = true;
  let isEnded = false;
  let total = 0;
  try {
    for await (const { samples, isLast } of pieces) {
      total += samples.length;
      const bytes = await file.encode(samples);
      if (isLast) {
        const end = await file.finish();
        isEnded = true;
        yield audio(...(isFirst ? [end.header] : []), bytes, end.bytes);
        yield { type: 'spoken', seconds: total / sampleRate, header: end.header };
        return;
      }
      yield audio(...(isFirst ? [file.openingHeader] : []), bytes);
      isFirst = false;
    }
  } finally {
    if (!isEnded) await file.close?.();
  }
}

function audio(...parts: Bytes[]): SpeakEvent {
  return { type: 'audio', bytes: joinedBytes(parts) };
}
