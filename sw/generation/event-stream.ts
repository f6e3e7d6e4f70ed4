import type { ApiErrorData } from '../../src/core/errors/errors.ts';
import { errorBody } from '../http/error-response.ts';

/** A response that is a stream of events. */
export function eventResponse(body: ReadableStream): Response {
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

/** The chat API's frame of an event stream. */
export function dataFrame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A frame whose event has a name, which its data repeats. */
export function namedFrame(type: string, fields: object): string {
  return `event: ${type}\n${dataFrame({ type, ...fields })}`;
}

/** How the streams of chat and text completions end. */
export const dataStreamEnd = {
  closing: () => 'data: [DONE]\n\n',
  // No [DONE] after this: a stream that ends cleanly would be taken for a whole answer.
  failure: (data: ApiErrorData) => dataFrame({ error: errorBody(data) }),
};
