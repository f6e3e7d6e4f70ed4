import { dataFrame, dataStreamEnd, eventStream } from '../http/event-stream.ts';
import { base64 } from '../http/base64.ts';
import type { RunningJob } from '../road/running-job.ts';

/** Speech models count no tokens. */
const USAGE = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/** A speech as events with its audio in base64. */
export function speechStream(running: RunningJob<'speak'>): Response {
  return eventStream(running, {
    event: (event) =>
      event.type === 'audio'
        ? dataFrame({ type: 'speech.audio.delta', audio: base64(event.bytes) })
        : '',
    closing: () => dataFrame({ type: 'speech.audio.done', usage: USAGE }),
    failure: dataStreamEnd.failure,
  });
}
