import type { Context } from '../context.ts';
import { answerMeta } from '../generation/encoder.ts';
import { respond } from '../generation/respond.ts';
import { parseBody } from '../http/parse-body.ts';
import { clientOf, requireTextModel } from '../model-access.ts';
import { completionEncoder } from './completion-encoder.ts';
import { completionJob } from './completion-job.ts';
import { completionRequestSchema } from './completion-request.ts';

/** `POST v1/completions` */
export async function createCompletion(context: Context): Promise<Response> {
  const body = await parseBody(context.request, completionRequestSchema);
  const job = { ...completionJob(body), ...clientOf(context.key) };
  await requireTextModel(context, job.model);
  const meta = answerMeta('cmpl', job.model);
  const encoder = completionEncoder(meta, body.stream_options?.include_usage ?? false);
  // The request's fields have the names of the job's parts.
  const fieldOf = ({ part, path }: { part: string; path: string }) => part + path;
  return respond({ ...context, job, encoder, stream: body.stream ?? false, fieldOf });
}
