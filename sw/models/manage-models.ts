import { managingNotAllowed } from '../../src/core/errors/errors.ts';
import type { Progress, ProgressEvent } from '../../src/core/operations/events/events.ts';
import type { Context } from '../context.ts';
import { dataFrame, dataStreamEnd, eventStream } from '../http/event-stream.ts';
import { flag, integerFrom, nonEmptyText, object, optional } from '../http/fields.ts';
import type { RequestBody } from '../http/request-body.ts';
import { jsonAnswer } from '../http/json-response.ts';
import { knownModel } from '../model-access.ts';
import {
  begin,
  runJob,
  type JobContext,
  type RequestedJob,
  type Sink,
} from '../road/running-job.ts';

/** The operations on a model, and its status afterwards. */
const STATUS = {
  load: { status: 'loaded' },
  unload: { status: 'unloaded' },
  install: { status: 'installed' },
  remove: { deleted: true },
};

type Managing = keyof typeof STATUS;

const NO_OBJECT = 'must be a JSON object';

export const managingSchema = object({ stream: optional(flag) }, NO_OBJECT);
export const loadingSchema = object(
  { stream: optional(flag), context_length: integerFrom(1), kv_cache_type: optional(nonEmptyText) },
  NO_OBJECT,
);

/** `POST v1/models/{id}/load`, `unload` and `install`, and `DELETE v1/models/{id}` */
export function managing(op: Managing) {
  return async (context: Context): Promise<Response> => {
    const { body, key, names, graceMs } = context;
    const [model = ''] = names;
    // The page with a session key can do all of this anyway, but not a frame that it lends the API to.
    if (!(key.manageModels ?? key.sessionLock !== undefined)) throw managingNotAllowed();
    await knownModel(context, model);
    const { stream, job } = await askedFor(op, model, body);
    const requested: RequestedJob<Managing> = {
      job,
      answers: 0,
      fieldOf: () => 'model',
    };
    if (!stream) {
      return jsonAnswer(context, requested, async ({ each }) => {
        await each(() => undefined);
        return { id: model, ...STATUS[op], object: 'model' };
      });
    }
    const running = await begin(context, requested, graceMs.stream, withProgress);
    return eventStream(running, {
      event: ({ progress }) => dataFrame(progressBody(progress)),
      ...dataStreamEnd,
    });
  };
}

async function askedFor(op: Managing, model: string, body: RequestBody) {
  if (op !== 'load') {
    const { stream } = await body.parseOptional(managingSchema);
    return { stream, job: { op, model } };
  }
  const {
    stream,
    context_length: length,
    kv_cache_type: type,
  } = await body.parseOptional(loadingSchema);
  const wanted = { contextLength: length ?? undefined, kvCacheType: type ?? undefined };
  return { stream, job: { op, model, ...wanted } };
}

/** Does the job, and reports the progress of its model until it is done. */
async function withProgress(
  context: JobContext,
  requested: RequestedJob<Managing>,
  sink: Sink<ProgressEvent>,
): Promise<void> {
  const { model } = requested.job;
  const watching = new AbortController();
  const watched = context.engine
    .run({ op: 'watch' }, watching.signal, (event) =>
      event.progress.model === model ? sink.take(event) : undefined,
    )
    // If the progress cannot be watched, the job still reports how it ends.
    .catch(() => undefined);
  try {
    await runJob(context, requested, { take: () => undefined });
  } finally {
    watching.abort();
  }
  await watched;
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
