import * as v from 'valibot';
import type { Slashv1 } from '../../src/index.ts';

const eventSchema = v.looseObject({ type: v.string(), text: v.optional(v.string()) });

/** Requests a streamed transcription over HTTP. `firstAt`: when the first part of the text came, `performance.now()`. */
export async function hearV1(
  { baseURL, apiKey }: Pick<Slashv1, 'baseURL' | 'apiKey'>,
  model: string,
  wav: Blob,
): Promise<{ text: string; firstAt: number }> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ model, language: 'en', stream: 'true' })) {
    body.append(name, value);
  }
  body.append('file', wav, 'recording.wav');
  const headers = { authorization: `Bearer ${apiKey}` };
  const response = await fetch(`${baseURL}/audio/transcriptions`, {
    method: 'POST',
    headers,
    body,
  });
  if (!response.ok || !response.body) throw new Error(await response.text());
  let firstAt = 0;
  let all = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    firstAt ||= performance.now();
    all += read.value;
  }
  const last = all.trim().split('\n').at(-1)?.slice('data: '.length) ?? '';
  const { type, text } = v.parse(eventSchema, JSON.parse(last));
  if (type !== 'transcript.text.done' || text === undefined) throw new Error(last);
  return { text, firstAt };
}
