import type { AudioFormat, Engine, SpeakJob } from '../src/core/engine.ts';
import { byteRange, isFromStart } from './byte-range.ts';
import { Recording } from './recording.ts';
import { begin, GRACE_MS, type Grace } from './respond.ts';
import { CONTENT_TYPES } from './respond-speech.ts';

/** @throws ApiError when the job fails within the grace */
export async function record(answer: {
  engine: Engine;
  job: SpeakJob;
  graceMs?: Grace | undefined;
}): Promise<Recording> {
  return new Recording(await begin(answer, (answer.graceMs ?? GRACE_MS).json));
}

/**
 * Answers an `<audio>` element. From the beginning of a file that is still being spoken it gets what comes,
 * as it comes; for any other part of it, it waits for the end: a part must say how long the whole is.
 */
export async function respondListener(
  recording: Recording,
  format: AudioFormat,
  range: string | null,
): Promise<Response> {
  const headers = new Headers({
    ...{ 'content-type': CONTENT_TYPES[format], 'cache-control': 'no-store' },
    'accept-ranges': 'bytes',
  });
  if (isFromStart(range) && !recording.isComplete) {
    return new Response(recording.listen(), { headers });
  }
  await recording.complete();
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
