import type { Slashv1 } from '../../src/index.ts';
import type { TimedSpeech } from '../timed-speech.ts';

export interface SpeechQuestion {
  model: string;
  voice: string;
  input: string;
}

const WAV_HEADER_BYTES = 44;
/** Offset of the bytes per second in a WAV header. */
const BYTE_RATE_AT = 28;

/** Requests a speech over HTTP, without a client library. */
export async function speakV1(
  { baseURL, apiKey }: Pick<Slashv1, 'baseURL' | 'apiKey'>,
  question: SpeechQuestion,
): Promise<TimedSpeech> {
  const asked = performance.now();
  const response = await fetch(`${baseURL}/audio/speech`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(question),
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  let [firstMs, bytes, byteRate] = [0, 0, 0];
  for await (const chunk of response.body) {
    firstMs ||= performance.now() - asked;
    byteRate ||= new DataView(chunk.buffer, chunk.byteOffset).getUint32(BYTE_RATE_AT, true);
    bytes += chunk.length;
  }
  const seconds = (bytes - WAV_HEADER_BYTES) / byteRate;
  return { firstMs, totalMs: performance.now() - asked, seconds };
}
