import type { Context } from '../context.ts';
import { byteStream } from '../http/byte-stream.ts';
import { begin, type RunningJob } from '../road/running-job.ts';
import { requestedSpeech } from './requested-speech.ts';
import { speechRequestSchema } from './speech-request.ts';
import { dataFrame, dataStreamEnd, eventStream } from '../http/event-stream.ts';
import { base64 } from '../http/base64.ts';

/**
 * `POST v1/audio/speech`: the audio file, sentence by sentence. Its length is unknown until the last
 * sentence. A failure in the middle errors the body, since half a file looks like a whole one.
 */
export async function createSpeech(context: Context): Promise<Response> {
  const body = await context.body.parse(speechRequestSchema);
  const requested = await requestedSpeech(context, body);
  // The grace is that of JSON: neither kind of body can carry a later error.
  const running = await begin(context, requested, context.graceMs.json);
  if (body.stream_format === 'sse') return speechStream(running);
  const audio = byteStream(async (write) => {
    await running.each((event) => (event.type === 'audio' ? write(event.bytes) : undefined));
    return undefined;
  }, running.cancel);
  return new Response(audio, {
    headers: { 'content-type': requested.contentType, 'cache-control': 'no-store' },
  });
}

/** Speech models count no tokens. */
const USAGE = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/** A speech as events with its audio in base64. */
function speechStream(running: RunningJob<'speak'>): Response {
  return eventStream(running, {
    event: (event) =>
      event.type === 'audio'
        ? dataFrame({ type: 'speech.audio.delta', audio: base64(event.bytes) })
        : '',
    closing: () => dataFrame({ type: 'speech.audio.done', usage: USAGE }),
    failure: dataStreamEnd.failure,
  });
}
