import { toErrorData } from '../../src/core/errors/errors.ts';
import { dataFrame, dataStreamEnd, eventResponse } from '../generation/event-stream.ts';
import { base64 } from '../http/base64.ts';
import { textStream } from '../http/byte-stream.ts';
import type { RunningJob } from '../http/running-job.ts';

/** Speech models count no tokens. */
const USAGE = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

/** A speech as events with its audio in base64. */
export function speechStream({ events, cancel }: RunningJob<'speak'>): Response {
  const body = textStream(async (write) => {
    try {
      for await (const event of events) {
        if (event.type !== 'audio') continue;
        await write(dataFrame({ type: 'speech.audio.delta', audio: base64(event.bytes) }));
      }
    } catch (error) {
      return dataStreamEnd.failure(toErrorData(error));
    }
    return dataFrame({ type: 'speech.audio.done', usage: USAGE });
  }, cancel);
  return eventResponse(body);
}
