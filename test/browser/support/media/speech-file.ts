import type { DrivenPage } from '../browser/driven-page.ts';

/** Body of `POST /v1/audio/speech`. */
export interface SpeechBody {
  model: string;
  voice: string;
  input: string;
  response_format?: 'wav' | 'mp3' | 'opus' | 'aac' | 'flac';
  speed?: number;
}

/** The audio file that the openai package receives. */
export async function speechFile(page: DrivenPage, body: SpeechBody): Promise<Buffer> {
  const base64 = await page.evaluate(async (request) => {
    const response = await window.client.audio.speech.create(request);
    const bytes = new Uint8Array(await response.arrayBuffer());
    // In pieces, since a call cannot take millions of arguments.
    const pieces: string[] = [];
    for (let at = 0; at < bytes.length; at += 10_000) {
      pieces.push(String.fromCharCode(...bytes.subarray(at, at + 10_000)));
    }
    return btoa(pieces.join(''));
  }, body);
  return Buffer.from(base64, 'base64');
}
