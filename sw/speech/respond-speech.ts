import type { Engine } from '../../src/core/protocol/engine.ts';
import type { ApiOperation, AudioFormat, SpeakJob } from '../../src/core/protocol/jobs.ts';
import { begin, byteStream, GRACE_MS, type Grace } from '../http/respond.ts';

export const CONTENT_TYPES: Record<AudioFormat, string> = { wav: 'audio/wav', mp3: 'audio/mpeg' };

/**
 * Speaks the text and answers with the audio file, as it comes. It has no length: nobody knows it before
 * the last sentence. A failure in the middle errors the body, since half a file looks like a whole one.
 *
 * @throws ApiError when the job fails within the grace
 */
export async function respondSpeech(answer: {
  engine: Engine<ApiOperation>;
  job: SpeakJob;
  graceMs?: Grace | undefined;
}): Promise<Response> {
  // As long as for JSON: in neither could a later failure be told.
  const { events, cancel } = await begin<'speak'>(answer, (answer.graceMs ?? GRACE_MS).json);
  const body = byteStream(async (write) => {
    for await (const event of events) {
      if (event.type === 'audio') await write(event.bytes);
    }
    return undefined;
  }, cancel);
  return new Response(body, {
    headers: { 'content-type': CONTENT_TYPES[answer.job.format], 'cache-control': 'no-store' },
  });
}
