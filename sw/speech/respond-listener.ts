import type { Engine } from '../../src/core/protocol/engine.ts';
import type { ApiOperation, AudioFormat, SpeakJob } from '../../src/core/protocol/jobs.ts';
import { byteRange, isFromStart } from '../http/byte-range.ts';
import { Recording } from './recording.ts';
import { begin, firstOrGrace, GRACE_MS, type Grace } from '../http/respond.ts';
import { CONTENT_TYPES } from './respond-speech.ts';

/** @throws ApiError when the job fails within the grace */
export async function record(answer: {
  engine: Engine<ApiOperation>;
  job: SpeakJob;
  graceMs?: Grace | undefined;
}): Promise<Recording> {
  return new Recording(await begin<'speak'>(answer, (answer.graceMs ?? GRACE_MS).json));
}

/** What an `<audio>` element asks for. */
interface Listener {
  format: AudioFormat;
  /** Its Range header. */
  range: string | null;
  /** Milliseconds. */
  graceMs?: number | undefined;
}

/**
 * Answers an `<audio>` element. From the beginning of a file that is still being spoken it gets what comes,
 * as it comes. For any other part of it, it waits for the end, since a part must say how long the whole is;
 * but no longer than for any answer, because nobody who waits can be seen to leave: after the grace it gets
 * all of the file, as a server may answer that knows no parts (RFC 9110, 14.2).
 */
export async function respondListener(
  recording: Recording,
  { format, range, graceMs = GRACE_MS.json }: Listener,
): Promise<Response> {
  const headers = new Headers({
    ...{ 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-store' },
    'accept-ranges': 'bytes',
  });
  if (!recording.isComplete) {
    const whole = recording.listen();
    if (!isFromStart(range)) await firstOrGrace(recording.ended, graceMs);
    if (!recording.isComplete) return new Response(whole, { headers });
    await whole.cancel();
  }
  const size = recording.byteLength;
  const answer = byteRange(range, size);
  if (answer === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { first, last } = answer === 'whole' ? { first: 0, last: size - 1 } : answer;
  headers.set('content-length', String(last - first + 1));
  if (answer !== 'whole') headers.set('content-range', `bytes ${first}-${last}/${size}`);
  const status = answer === 'whole' ? 200 : 206;
  return new Response(recording.part(first, last), { status, headers });
}
