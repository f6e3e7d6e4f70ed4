import { serverError, toErrorData, type ApiErrorData } from '../../src/core/protocol/errors.ts';
import type { Engine } from '../../src/core/protocol/engine.ts';
import type { EventOf, GenerateEvent } from '../../src/core/protocol/events.ts';
import type { ApiOperation, GenerateJob, JobOf } from '../../src/core/protocol/jobs.ts';
import type { Encoder } from '../generation/encode.ts';

/**
 * How long an answer may be withheld for its first event, milliseconds. Until then a failure still
 * has its true status; after it the client's disconnect is visible (a body can be cancelled, a
 * pending respondWith cannot), and no browser has given up on the response.
 */
export const GRACE_MS: Grace = { stream: 2_000, json: 20_000 };

/** How much of an answer may wait for its reader, bytes; beyond that, the engine is not asked for more. */
const WINDOW_BYTES = 256 * 1024;

export interface Grace {
  stream: number;
  json: number;
}

/** What the answering of one generation needs. */
export interface Answer {
  engine: Engine<ApiOperation>;
  job: GenerateJob;
  encoder: Encoder;
  stream: boolean;
  graceMs?: Grace | undefined;
}

/**
 * Runs the job and answers at its first event or after the grace, whichever comes first.
 *
 * @throws ApiError when the job fails within that time
 */
export async function respond(answer: Answer): Promise<Response> {
  const grace = answer.graceMs ?? GRACE_MS;
  const { events, cancel } = await begin<'generate'>(
    { ...answer, answers: answer.job.choices ?? 1 },
    answer.stream ? grace.stream : grace.json,
  );
  return answer.stream
    ? eventStream(answer.encoder, events, cancel)
    : jsonBody(answer.encoder, events, cancel);
}

/** A job that runs: its first event is there, or its grace is over. */
export interface RunningJob<Op extends ApiOperation> {
  /** Throws unless every answer is complete. */
  events: AsyncGenerator<EventOf<Op>, void, undefined>;
  /** To be called when nobody wants the answer any more. */
  cancel: () => void;
}

/** @throws ApiError when the job fails within the grace, milliseconds */
export async function begin<Op extends ApiOperation>(
  { engine, job, answers = 1 }: { engine: Engine<Op>; job: JobOf<Op>; answers?: number },
  graceMs: number,
): Promise<RunningJob<Op>> {
  const controller = new AbortController();
  const events = untilEnd<Op>(engine.run(job, controller.signal), answers);
  const first = events.next();
  await firstOrGrace(first, graceMs);
  return {
    events: withFirst(first, events),
    cancel: () => controller.abort(new DOMException('The client hung up', 'AbortError')),
  };
}

/** Answers that are not all finished have failed, however quietly: a clean end would be taken for a whole one. */
async function* untilEnd<Op extends ApiOperation>(
  events: AsyncIterable<EventOf<Op>>,
  answers: number,
): AsyncGenerator<EventOf<Op>, void, undefined> {
  let ended = 0;
  for await (const event of events) {
    if (event.type === 'finish' || event.type === 'spoken') ended++;
    yield event;
  }
  if (ended < answers)
    throw serverError('engine_error', 'The engine ended in the middle of its answer.');
}

/** Resolves when the promise does, or else after the grace, milliseconds. */
export async function firstOrGrace(first: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([first, grace]);
  } finally {
    clearTimeout(timer);
  }
  // Whoever reads the events later sees the failure; until then it is nobody's unhandled rejection.
  first.catch(() => undefined);
}

async function* withFirst<E>(
  first: Promise<IteratorResult<E>>,
  rest: AsyncIterator<E>,
): AsyncGenerator<E, void, undefined> {
  for (let result = await first; !result.done; result = await rest.next()) yield result.value;
}

function eventStream(
  encoder: Encoder,
  events: AsyncGenerator<GenerateEvent>,
  onCancel: () => void,
): Response {
  const frame = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
  return new Response(
    textStream(async (write) => {
      for (const value of encoder.opening()) await write(frame(value));
      try {
        for await (const event of events) {
          for (const value of encoder.chunks(event)) await write(frame(value));
        }
      } catch (error) {
        // No [DONE] after this: a stream that ends cleanly would be taken for a whole answer.
        return frame({ error: errorBody(toErrorData(error)) });
      }
      return 'data: [DONE]\n\n';
    }, onCancel),
    {
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    },
  );
}

/** One JSON document, as a stream: only so is a client's disconnect seen while it is being made. */
function jsonBody(
  encoder: Encoder,
  events: AsyncGenerator<GenerateEvent>,
  onCancel: () => void,
): Response {
  return new Response(
    textStream(async () => {
      const all: GenerateEvent[] = [];
      for await (const event of events) all.push(event);
      return JSON.stringify(encoder.body(all));
    }, onCancel),
    { headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } },
  );
}

function textStream(
  produce: (write: (text: string) => Promise<void>) => Promise<string>,
  onCancel: () => void,
): ReadableStream<Bytes> {
  const encoder = new TextEncoder();
  return byteStream(
    async (write) => encoder.encode(await produce((text) => write(encoder.encode(text)))),
    onCancel,
  );
}

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * A stream of what `produce` writes, and last what it returns; a throw errors the stream. A write is done
 * when the reader does not lag far behind. It closes in the same step as the last bytes are sent: from
 * then on no cancel is a disconnect.
 */
export function byteStream(
  produce: (write: (bytes: Bytes) => Promise<void>) => Promise<Bytes | undefined>,
  onCancel: () => void,
): ReadableStream<Bytes> {
  let isOpen = true;
  let room = Promise.withResolvers<void>();
  const source: UnderlyingDefaultSource<Bytes> = {
    start(controller) {
      const write = async (bytes: Bytes) => {
        if (isOpen) controller.enqueue(bytes);
        if (isOpen && (controller.desiredSize ?? 0) <= 0) await room.promise;
      };
      const end = (last: Bytes | undefined) => {
        if (isOpen && last) controller.enqueue(last);
        if (isOpen) controller.close();
        isOpen = false;
      };
      const fail = (error: unknown) => {
        if (isOpen) controller.error(error);
        isOpen = false;
      };
      // Not awaited by start(): a stream whose start is pending cannot be cancelled by every browser.
      void produce(write).then(end, fail);
    },
    pull() {
      room.resolve();
      room = Promise.withResolvers();
    },
    cancel() {
      if (isOpen) onCancel();
      isOpen = false;
      room.resolve();
    },
  };
  return new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: WINDOW_BYTES }));
}

/** Characters of a text of the request that an error may repeat. */
const MAX_ECHO = 1_000;

/** The four keys of an error, all always present. */
export function errorBody({ message, type, param, code }: ApiErrorData) {
  return { message: shortened(message), type, param: param && shortened(param), code };
}

function shortened(text: string): string {
  return text.length > MAX_ECHO ? `${text.slice(0, MAX_ECHO)}…` : text;
}
