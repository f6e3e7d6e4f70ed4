import type { Context } from '../context.ts';
import { answerWithCount, tokensOf } from '../generation/count-tokens.ts';
import { answerMeta } from '../generation/encoder.ts';
import { answerView, viewOf } from '../generation/generation-job.ts';
import { chatGeneration } from '../generation/chat-generation.ts';
import { respond } from '../generation/respond.ts';
import type { RequestedJob } from '../road/running-job.ts';
import { chatEncoder } from './chat-encoder.ts';
import { chatFieldOf } from './chat-fields.ts';
import { chatJob } from './chat-job.ts';
import { hidesReasoning } from './chat-reasoning.ts';
import { chatRequestSchema } from './chat-request.ts';

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
    encoder: chatEncoder(
      answerMeta(KIND, entry, device),
      answerView(body, { perPrompt: answers, answers }),
    ),
    fieldOf: chatFieldOf(body),
  });
}

/** The job that counts the tokens of a request's prompt. */
export async function chatTokens(context: Context): Promise<RequestedJob<'tokens'>> {
  const body = await context.body.parse(chatRequestSchema);
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
