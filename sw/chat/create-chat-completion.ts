import type { Context } from '../context.ts';
import { answerMeta } from '../generation/encoder.ts';
import { respond } from '../generation/respond.ts';
import { parseBody } from '../http/parse-body.ts';
import { clientOf, requireTextModel } from '../model-access.ts';
import { chatEncoder } from './chat-encoder.ts';
import { chatFieldOf } from './chat-fields.ts';
import { chatJob } from './chat-job.ts';
import { chatRequestSchema } from './chat-request.ts';

/** `POST v1/chat/completions` */
export async function createChatCompletion(context: Context): Promise<Response> {
  const body = await parseBody(context.request, chatRequestSchema);
  const job = { ...chatJob(body), ...clientOf(context.key) };
  await requireTextModel(context, job.model);
  const meta = answerMeta('chatcmpl', job.model);
  const encoder = chatEncoder(meta, body.stream_options?.include_usage ?? false);
  const fieldOf = chatFieldOf(body);
  return respond({ ...context, job, encoder, stream: body.stream ?? false, fieldOf });
}
