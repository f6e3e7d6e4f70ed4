import type { Slashv1 } from '../../src/index.ts';

/** What the page saw of one speech. Times in milliseconds, of the page's own clock. */
export interface Spoken {
  /** From asking to the first sound. */
  firstMs: number;
  totalMs: number;
  /** How long the sound is. */
  seconds: number;
}

export interface SpeechQuestion {
  model: string;
  voice: string;
  input: string;
}

const WAV_HEADER_BYTES = 44;
/** Where a WAV file has its bytes per second. */
const BYTE_RATE_AT = 28;

/** Speaks over HTTP, as any client does, with no client library between. */
export async function speakV1(
  { baseURL, apiKey }: Pick<Slashv1, 'baseURL' | 'apiKey'>,
  question: SpeechQuestion,
): Promise<Spoken> {
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
