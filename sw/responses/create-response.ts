import type { Context } from '../context.ts';
import { answerWithCount, tokensOf } from '../generation/count-tokens.ts';
import { chatGeneration } from '../generation/request/chat-generation.ts';
import { jobFields } from '../generation/request/job-fields.ts';
import { respond } from '../generation/answer/respond.ts';
import type { RequestedJob } from '../road/running-job.ts';
import { KeptResponses } from './kept-responses.ts';
import { responseBody } from './response-body.ts';
import { ResponseEncoder } from './response-encoder.ts';
import { responseJob, SCHEMA_FIELD } from './response-job.ts';
import { responseRequestSchema } from './response-request.ts';
import { wholeInput } from './whole-input.ts';

/** Where the parts of the job are in a request. */
const responseFieldOf = jobFields({
  prompt: 'input',
  format: 'text.format',
  schema: SCHEMA_FIELD,
  tools: (path) => `tools${path}`,
});

/** `POST v1/responses` */
export async function createResponse(context: Context): Promise<Response> {
  const body = await context.body.parse(responseRequestSchema);
  const kept = new KeptResponses(context.engine, context.key.id);
  const items = await wholeInput(body, kept);
  const { job } = await chatGeneration(context, (images) => responseJob(body, items, images));
  const response = responseBody(body);
  const encoder = new ResponseEncoder(response, {
    content: body.reasoning?.summary === null,
    encrypted: body.include?.includes('reasoning.encrypted_content') ?? false,
  });
  const stream = body.stream ?? false;
  const onAnswered = async () => {
    const input = items.map(({ item }) => item);
    response.store &&= await kept.keep(response, input);
  };
  return respond(context, { job, encoder, stream, fieldOf: responseFieldOf, onAnswered });
}

/** The job that counts the tokens of a request's prompt. */
export async function inputTokens(context: Context): Promise<RequestedJob<'tokens'>> {
  const body = await context.body.parse(responseRequestSchema);
  const items = await wholeInput(body, new KeptResponses(context.engine, context.key.id));
  const { job } = await chatGeneration(context, (images) => responseJob(body, items, images));
  return tokensOf(job, responseFieldOf);
}

/** `POST v1/responses/input_tokens` */
export async function countInputTokens(context: Context): Promise<Response> {
  return answerWithCount(context, await inputTokens(context), (input_tokens) => ({
    object: 'response.input_tokens',
    input_tokens,
  }));
}
