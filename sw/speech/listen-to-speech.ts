import type { Context } from '../context.ts';
import { byteRange, isFromStart } from '../http/byte-range.ts';
import { parseValue } from '../http/parse-value.ts';
import { begin, firstOrGrace } from '../road/running-job.ts';
import { Recording } from './recording.ts';
import { Recordings } from './recordings.ts';
import { requestedSpeech } from './requested-speech.ts';
import { speechQuery } from './speech-request.ts';
import { speechRequestSchema } from './speech-request.ts';

/**
 * `GET v1/audio/speech`: the handler for `<audio src>`. The request is in the URL, which the page library
 * has signed.
 */
export function speechListener(): (context: Context) => Promise<Response> {
  const recordings = new Recordings();
  return async (context) => {
    const { request, graceMs } = context;
    const body = parseValue(speechQuery(new URL(request.url)), speechRequestSchema);
    const requested = await requestedSpeech(context, body);
    const recording = await recordings.get(
      request.url,
      async () => new Recording(await begin(context, requested, graceMs.json)),
    );
    const headers = new Headers({
      'content-type': requested.contentType,
      'cache-control': 'no-store',
      'accept-ranges': 'bytes',
    });
    const range = request.headers.get('range');
    return (
      (await unfinished(recording, range, graceMs.json, headers)) ??
      finished(recording, range, headers)
    );
  };
}

/**
 * The answer while the speech is still being spoken; undefined when it is complete. From the beginning
 * of the file the player gets the sentences as they come. A part of the file must state the length of the
 * whole, so it waits for the end. It waits no longer than any answer, because a client that leaves
 * meanwhile cannot be noticed. After the grace the player gets the whole file, as from a server without
 * ranges (RFC 9110, 14.2).
 */
async function unfinished(
  recording: Recording,
  range: string | null,
  graceMs: number,
  headers: Headers,
): Promise<Response | undefined> {
  if (recording.isComplete) return undefined;
  const whole = recording.listen();
  if (!isFromStart(range)) await firstOrGrace(recording.ended, graceMs);
  if (!recording.isComplete) return new Response(whole, { headers });
  await whole.cancel();
  return undefined;
}

function finished(recording: Recording, range: string | null, headers: Headers): Response {
  const size = recording.byteLength;
  const asked = byteRange(range, size);
  if (asked === 'unsatisfiable') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { first, last } = asked === 'whole' ? { first: 0, last: size - 1 } : asked;
  headers.set('content-length', String(last - first + 1));
  if (asked !== 'whole') headers.set('content-range', `bytes ${first}-${last}/${size}`);
  const status = asked === 'whole' ? 200 : 206;
  return new Response(recording.part(first, last), { status, headers });
}
