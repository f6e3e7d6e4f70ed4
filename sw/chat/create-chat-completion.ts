import type { Context } from '../context.ts';
import { answerWithCount, tokensOf } from '../generation/count-tokens.ts';
import { answerMeta } from '../generation/answer/encoder.ts';
import { answerView, viewOf } from '../generation/request/generation-job.ts';
import { chatGeneration } from '../generation/request/chat-generation.ts';
import { jobFields } from '../generation/request/job-fields.ts';
import { leftOut } from '../generation/request/left-out.ts';
import { requestedFormat } from '../generation/request/requested-format.ts';
import { functionPlaces } from '../generation/request/tool-offer.ts';
import { respond } from '../generation/answer/respond.ts';
import type { FieldOf, RequestedJob } from '../road/running-job.ts';
import { chatEncoder } from './chat-encoder.ts';
import { chatJob } from './chat-job.ts';
import { hidesReasoning } from './chat-reasoning.ts';
import { chatRequestSchema, type ChatRequest } from './chat-request.ts';

const KIND = { prefix: 'chatcmpl', object: 'chat.completion' };

/** `POST v1/chat/completions` */
export async function createChatCompletion(context: Context): Promise<Response> {
  const body = await context.body.parse(chatRequestSchema);
  const [{ job, entry }, device] = await Promise.all([
    chatGeneration(context, (images) => chatJob(body, images)),
    context.device(),
  ]);
  const answers = body.n ?? 1;
  return respond(context, {
    job,
    answers,
    view: viewOf(body, hidesReasoning(body)),
    stream: body.stream ?? false,
    encoder: chatEncoder(answerMeta(KIND, entry, device), {
      ...answerView(body, { perPrompt: answers, answers }),
      logprobs: body.logprobs ?? false,
    }),
    fieldOf: chatFieldOf(body),
    ignored: leftOut(body),
  });
}

/** The job that counts the tokens of a request's prompt. */
export async function chatTokens(context: Context): Promise<RequestedJob<'tokens'>> {
  return tokensOfChat(context, await context.body.parse(chatRequestSchema));
}

/** The job that counts the tokens of a chat's prompt. @throws ApiError 400, 404 */
export async function tokensOfChat(
  context: Context,
  body: ChatRequest,
): Promise<RequestedJob<'tokens'>> {
  const { job } = await chatGeneration(context, (images) => chatJob(body, images));
  return tokensOf(job, chatFieldOf(body));
}

/** `POST v1/chat/completions/input_tokens` */
export async function countChatTokens(context: Context): Promise<Response> {
  return answerWithCount(context, await chatTokens(context), (input_tokens) => ({
    object: 'response.input_tokens',
    input_tokens,
  }));
}

/** Where the parts of the job are in a chat request. */
function chatFieldOf(request: ChatRequest): FieldOf {
  const { field, schemaField } = requestedFormat(request);
  const fields = {
    prompt: 'messages',
    format: field,
    schema: schemaField,
    // In a request each tool is wrapped in `function`.
    tools: (path: string) => `tools${path.replace(/^\[\d+\]/, '$&.function')}`,
  };
  return jobFields(fields, functionPlaces(request.tools));
}
