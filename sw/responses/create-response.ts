import type { Variant } from '../../src/core/catalog/variant.ts';
import { chooseVariant } from '../../src/core/fit/choose-variant.ts';
import type { UsedSampling } from '../../src/core/operations/events.ts';
import type { Context } from '../context.ts';
import { answerWithCount, tokensOf } from '../generation/count-tokens.ts';
import { chatGeneration } from '../generation/request/chat-generation.ts';
import { jobFields } from '../generation/request/job-fields.ts';
import { leftOut } from '../generation/request/left-out.ts';
import { functionPlaces } from '../generation/request/tool-offer.ts';
import { respond } from '../generation/answer/respond.ts';
import type { FieldOf, RequestedJob } from '../road/running-job.ts';
import { KeptResponses } from './kept-responses.ts';
import { responseBody } from './response-body.ts';
import { ResponseEncoder } from './response-encoder.ts';
import { responseJob, SCHEMA_FIELD } from './response-job.ts';
import { responseRequestSchema, type ResponseRequest } from './response-request.ts';
import { wholeInput } from './whole-input.ts';

/** Where the parts of the job are in a request. */
function responseFieldOf({ tools }: ResponseRequest): FieldOf {
  const fields = {
    prompt: 'input',
    format: 'text.format',
    schema: SCHEMA_FIELD,
    tools: (path: string) => `tools${path}`,
  };
  return jobFields(fields, functionPlaces(tools));
}

/** `POST v1/responses` */
export async function createResponse(context: Context): Promise<Response> {
  const body = await context.body.parse(responseRequestSchema);
  const kept = new KeptResponses(context.engine, context.key.id);
  const items = await wholeInput(body, kept);
  const [{ job, entry }, device] = await Promise.all([
    chatGeneration(context, (images) => responseJob(body, items, images)),
    context.device(),
  ]);
  const response = responseBody(body, defaultSampling(chooseVariant(entry, device)));
  const encoder = new ResponseEncoder(response, {
    content: body.reasoning?.summary === null,
    encrypted: body.include?.includes('reasoning.encrypted_content') ?? false,
  });
  const stream = body.stream ?? false;
  const fieldOf = responseFieldOf(body);
  const onAnswered = async () => {
    const input = items.map(({ item }) => item);
    response.store &&= await kept.keep(response, input);
  };
  return respond(context, { job, encoder, stream, fieldOf, ignored: leftOut(body), onAnswered });
}

/** What the catalog knows of a model's defaults. The files of some models say more. */
function defaultSampling(variant: Variant): Partial<UsedSampling> {
  return variant.engine === 'llamacpp' ? (variant.sampling ?? {}) : {};
}

/** The job that counts the tokens of a request's prompt. */
export async function inputTokens(context: Context): Promise<RequestedJob<'tokens'>> {
  const body = await context.body.parse(responseRequestSchema);
  const items = await wholeInput(body, new KeptResponses(context.engine, context.key.id));
  const { job } = await chatGeneration(context, (images) => responseJob(body, items, images));
  return tokensOf(job, responseFieldOf(body));
}

/** `POST v1/responses/input_tokens` */
export async function countInputTokens(context: Context): Promise<Response> {
  return answerWithCount(context, await inputTokens(context), (input_tokens) => ({
    object: 'response.input_tokens',
    input_tokens,
  }));
}
