import type { Context } from '../context.ts';
import { byteStream } from '../http/byte-stream.ts';
import { parseBody } from '../http/parse-body.ts';
import { begin, GRACE_MS } from '../http/running-job.ts';
import { requestedSpeech } from './requested-speech.ts';
import { speechRequestSchema } from './speech-request.ts';
import { speechStream } from './speech-stream.ts';

/**
 * `POST v1/audio/speech`: the audio file, sentence by sentence. Its length is unknown until the last
 * sentence. A failure in the middle errors the body, since half a file looks like a whole one.
 */
export async function createSpeech(context: Context): Promise<Response> {
  const body = await parseBody(context.request, speechRequestSchema);
  const requested = await requestedSpeech(context, body);
  // As long as for JSON: neither kind of body can carry a later error.
  const { events, cancel } = await begin(requested, (context.graceMs ?? GRACE_MS).json);
  if (body.stream_format === 'sse') return speechStream({ events, cancel });
  const audio = byteStream(async (write) => {
    for await (const event of events) {
      if (event.type === 'audio') await write(event.bytes);
    }
    return undefined;
  }, cancel);
  return new Response(audio, {
    headers: { 'content-type': requested.contentType, 'cache-control': 'no-store' },
  });
}
