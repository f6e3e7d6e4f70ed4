import { EventQueue } from '../../src/core/async/event-queue.ts';
import { engineOf, type Engine } from '../../src/core/port/engine.ts';
import { managingNotAllowed, toErrorData } from '../../src/core/errors/errors.ts';
import type { Progress, ProgressEvent } from '../../src/core/operations/events.ts';
import type { ApiOperation, JobOf } from '../../src/core/operations/jobs.ts';
import type { Context } from '../context.ts';
import { dataFrame, dataStreamEnd, eventResponse } from '../generation/event-stream.ts';
import { textStream } from '../http/byte-stream.ts';
import { flag, object, optional } from '../http/fields.ts';
import { jsonStream } from '../http/json-response.ts';
import { parseOptionalBody } from '../http/parse-body.ts';
import { begin, GRACE_MS, type RunningJob } from '../http/running-job.ts';
import { knownModel } from '../model-access.ts';

/** What can be done with a model, and its status then. */
const STATUS = {
  load: { status: 'loaded' },
  unload: { status: 'unloaded' },
  install: { status: 'installed' },
  remove: { deleted: true },
};

type ManagingJob = JobOf<keyof typeof STATUS>;

export const managingSchema = object({ stream: optional(flag) }, 'must be a JSON object');

/** `POST v1/models/{id}/load`, `unload` and `install`, and `DELETE v1/models/{id}` */
export function managing(op: keyof typeof STATUS) {
  return async (context: Context): Promise<Response> => {
    const { request, engine, key, rest: model, graceMs = GRACE_MS } = context;
    // The page with a session key can do all of this anyway, but not a frame that it lends the API to.
    if (!(key.manageModels ?? key.sessionLock !== undefined)) throw managingNotAllowed();
    await knownModel(context, model);
    const { stream } = await parseOptionalBody(request, managingSchema);
    const job: ManagingJob = { op, model };
    const requested = {
      engine: engineOf<'watch'>({
        watch: (_, signal) => (stream ? progressOf(engine, job, signal) : engine.run(job, signal)),
      }),
      job: { op: 'watch' as const },
      fieldOf: () => 'model',
    };
    const running = await begin(requested, stream ? graceMs.stream : graceMs.json, 0);
    return stream ? progressStream(running) : whole(running, { id: model, ...STATUS[op] });
  };
}

/** Does the job, and reports how far its model is until it is done. */
async function* progressOf(
  engine: Engine<ApiOperation>,
  job: ManagingJob,
  signal: AbortSignal,
): AsyncGenerator<ProgressEvent, void, undefined> {
  const watching = new AbortController();
  const queue = new EventQueue<ProgressEvent>();
  const watch = async () => {
    for await (const event of engine.run({ op: 'watch' }, watching.signal)) queue.push(event);
  };
  const work = async () => {
    for await (const _ of engine.run(job, signal));
  };
  // If it cannot be watched, the job still says how it ends.
  watch().catch(() => undefined);
  work().then(
    () => queue.end(),
    (error: unknown) => queue.fail(error),
  );
  try {
    for await (const event of queue) if (event.progress.model === job.model) yield event;
  } finally {
    watching.abort();
  }
}

function whole({ events, cancel }: RunningJob<'watch'>, answer: object): Response {
  return jsonStream(async () => {
    for await (const _ of events);
    return { ...answer, object: 'model' };
  }, cancel);
}

function progressStream({ events, cancel }: RunningJob<'watch'>): Response {
  const body = textStream(async (write) => {
    try {
      for await (const { progress } of events) await write(dataFrame(progressBody(progress)));
    } catch (error) {
      return dataStreamEnd.failure(toErrorData(error));
    }
    return dataStreamEnd.closing();
  }, cancel);
  return eventResponse(body);
}

function progressBody(progress: Progress) {
  const { model, stage, loadedBytes, totalBytes, bytesPerSecond, secondsLeft, text } = progress;
  return {
    object: 'model.progress',
    model,
    stage,
    text,
    loaded_bytes: loadedBytes,
    total_bytes: totalBytes,
    bytes_per_second: bytesPerSecond,
    seconds_left: secondsLeft,
  };
}
