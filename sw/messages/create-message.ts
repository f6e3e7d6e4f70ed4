import type { Context } from '../context.ts';
import { answerWithCount, tokensOf } from '../generation/count-tokens.ts';
import { chatGeneration } from '../generation/request/chat-generation.ts';
import { jobFields } from '../generation/request/job-fields.ts';
import { leftOut } from '../generation/request/left-out.ts';
import { functionPlaces } from '../generation/request/tool-offer.ts';
import { respond } from '../generation/answer/respond.ts';
import { runJob, type FieldOf, type RequestedJob } from '../road/running-job.ts';
import { MessageEncoder } from './message-encoder.ts';
import { countedJob, formatField, messageJob } from './message-job.ts';
import { countRequestSchema, messageRequestSchema, type CountRequest } from './message-request.ts';

/** Where the parts of the job are in a request. */
function messageFieldOf(request: CountRequest): FieldOf {
  const format = formatField(request);
  const fields = {
    prompt: 'messages',
    format,
    schema: `${format}.schema`,
    tools: (path: string) => `tools${path.replace(/^(\[\d+\])\.parameters/, '$1.input_schema')}`,
  };
  return jobFields(fields, functionPlaces(request.tools));
}

/** `POST v1/messages` */
export async function createMessage(context: Context): Promise<Response> {
  const body = await context.body.parse(messageRequestSchema);
  const { job } = await chatGeneration(context, (images) => messageJob(body, images));
  const encoder = new MessageEncoder({
    model: job.model,
    maxTokens: body.max_tokens,
    omitsThinking: body.thinking?.display === 'omitted',
  });
  return respond(context, {
    job,
    work: runJob,
    encoder,
    stream: body.stream ?? false,
    fieldOf: messageFieldOf(body),
    ignored: leftOut(body),
  });
}

/** The job that counts the tokens of a request's prompt. */
export async function messageTokens(context: Context): Promise<RequestedJob<'tokens'>> {
  const body = await context.body.parse(countRequestSchema);
  const { job } = await chatGeneration(context, (images) => countedJob(body, images));
  return tokensOf(job, messageFieldOf(body));
}

/** `POST v1/messages/count_tokens` */
export async function countMessageTokens(context: Context): Promise<Response> {
  return answerWithCount(context, await messageTokens(context), (input_tokens) => ({
    input_tokens,
  }));
}
