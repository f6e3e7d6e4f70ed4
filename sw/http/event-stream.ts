import { toErrorData, type ApiErrorData } from '../../src/core/errors/errors.ts';
import { stringifyExact } from '../../src/core/text/exact-json.ts';
import type { Running } from '../road/running-job.ts';
import { byteStream } from './byte-stream.ts';
import { errorBody } from './error-response.ts';

/** How events of the engine are written into a stream. */
export interface StreamEncoder<E> {
  /** What is streamed before any event. */
  opening?(): string;
  /** What is streamed for an event; empty for many events. */
  event(event: E): string;
  /** What ends the stream of a whole answer. */
  closing(): string;
  /** What ends the stream after a failure. */
  failure(error: ApiErrorData): string;
}

interface StreamCallbacks {
  /** The answer is whole; its end was not sent yet. */
  onAnswered?: (() => Promise<void>) | undefined;
  /** The answer is over: whole, failed, or not wanted any more. */
  onEnd?: (() => void) | undefined;
}

/** Answers with a stream of events. */
export function eventStream<E>(
  running: Running<E>,
  encoder: StreamEncoder<E>,
  { onAnswered, onEnd }: StreamCallbacks = {},
): Response {
  const body = byteStream(async (write) => {
    const opening = encoder.opening?.() ?? '';
    if (opening !== '') await write(opening);
    try {
      await running.each((event) => {
        const text = encoder.event(event);
        return text === '' ? undefined : write(text);
      });
      await onAnswered?.();
      return encoder.closing();
    } catch (error) {
      return encoder.failure(toErrorData(error));
    } finally {
      onEnd?.();
    }
  }, running.cancel);
  return eventResponse(body);
}

/** A response that is a stream of events. */
export function eventResponse(body: ReadableStream): Response {
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
  });
}

/** The chat API's frame of an event stream. */
export function dataFrame(value: unknown): string {
  return `data: ${stringifyExact(value)}\n\n`;
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
