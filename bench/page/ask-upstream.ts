import * as v from 'valibot';
import { median } from '../statistics.ts';

/** Where requests go: to `/v1`, or to the upstream itself. */
export interface UpstreamSide {
  baseURL: string;
  apiKey: string;
  model: string;
}

const eventSchema = v.object({ sent: v.number() });

/** How long a small request takes, milliseconds. */
export async function timeRequest(side: UpstreamSide): Promise<number> {
  const begun = performance.now();
  const response = await post(side, false);
  await response.text();
  return performance.now() - begun;
}

/**
 * Median time from sending an event of a stream until it arrives, milliseconds. The clocks of the server and the page
 * start at different times, so only the difference of two delays in one page is meaningful.
 */
export async function chunkDelay(side: UpstreamSide): Promise<number> {
  const { body } = await post(side, true);
  if (!body) throw new Error('The stream has no body.');
  const arrivals: { text: string; at: number }[] = [];
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    arrivals.push({ text, at: performance.now() });
  }
  const delays = arrivals.flatMap(({ text, at }) =>
    [...text.matchAll(/^data: (\{.*\})$/gm)].map(
      ([, json = '']) => at - v.parse(eventSchema, JSON.parse(json)).sent,
    ),
  );
  return median(delays);
}

async function post({ baseURL, apiKey, model }: UpstreamSide, stream: boolean): Promise<Response> {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hi' }], stream }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}
