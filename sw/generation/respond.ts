import { toErrorData } from '../../src/core/errors/errors.ts';
import type { GenerateEvent } from '../../src/core/operations/events.ts';
import { textStream } from '../http/byte-stream.ts';
import { jsonStream } from '../http/json-response.ts';
import {
  begin,
  GRACE_MS,
  type Grace,
  type RequestedJob,
  type RunningJob,
} from '../http/running-job.ts';
import type { Encoder } from './encoder.ts';
import { eventResponse } from './event-stream.ts';

/** A generation, and how it is answered. */
export interface RequestedGeneration extends RequestedJob<'generate'> {
  encoder: Encoder;
  stream: boolean;
  /** How many answers there are; default: one. */
  answers?: number;
  graceMs?: Grace | undefined;
  /** Called when the answer is whole, before its end is sent. */
  onAnswered?: () => Promise<void>;
}

/**
 * Runs the job. The response is there at its first event or after the grace, whichever comes first.
 *
 * @throws ApiError if the job fails within that time
 */
export async function respond(requested: RequestedGeneration): Promise<Response> {
  const { stream, answers, graceMs = GRACE_MS } = requested;
  const grace = stream ? graceMs.stream : graceMs.json;
  const running = await begin(requested, grace, answers);
  return stream ? eventStream(requested, running) : jsonBody(requested, running);
}

function eventStream(
  { encoder, onAnswered }: RequestedGeneration,
  { events, cancel }: RunningJob<'generate'>,
): Response {
  const body = textStream(async (write) => {
    const writeSome = async (text: string) => {
      if (text !== '') await write(text);
    };
    await writeSome(encoder.opening());
    try {
      for await (const event of events) await writeSome(encoder.event(event));
      await onAnswered?.();
    } catch (error) {
      return encoder.failure(toErrorData(error));
    }
    return encoder.closing();
  }, cancel);
  return eventResponse(body);
}

function jsonBody(
  { encoder, onAnswered }: RequestedGeneration,
  { events, cancel }: RunningJob<'generate'>,
): Response {
  return jsonStream(async () => {
    const all: GenerateEvent[] = [];
    for await (const event of events) all.push(event);
    const body = encoder.body(all);
    await onAnswered?.();
    return body;
  }, cancel);
}
