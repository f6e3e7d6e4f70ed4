import type { Variant } from '../../src/core/catalog/variant.ts';
import { chooseVariant } from '../../src/core/fit/choose-variant.ts';
import { contextThatFits } from '../../src/core/fit/context-that-fits.ts';
import type { UsedSampling } from '../../src/core/operations/events/events.ts';
import type { Client, Context } from '../context.ts';
import { turnOf } from '../conversations/conversations.ts';
import {
  inputItems,
  KeptConversations,
  withItems,
  type Conversation,
} from '../conversations/kept-conversations.ts';
import { turnIn } from '../conversations/turns.ts';
import { answerWithCount, tokensOf } from '../generation/count-tokens.ts';
import { chatGeneration } from '../generation/request/chat-generation.ts';
import { jobFields } from '../generation/request/job-fields.ts';
import { leftOut } from '../generation/request/left-out.ts';
import { respond, type RequestedGeneration } from '../generation/answer/respond.ts';
import type { Handler } from '../road/road.ts';
import { runJob, type FieldOf, type RequestedJob } from '../road/running-job.ts';
import type { Passage } from './file-search/file-search-request.ts';
import { answerWithTools } from './hosted/answer-with-tools.ts';
import { hostedUse, serverUse } from './hosted/hosted-use.ts';
import { ServerItems } from './mcp/mcp-items.ts';
import type { ServerFunction } from './mcp/server-functions.ts';
import { KeptResponses } from './kept-responses.ts';
import { responseBody, type ResponseBody } from './response-body.ts';
import { ResponseEncoder } from './response-encoder.ts';
import { responseJob, SCHEMA_FIELD } from './response-job.ts';
import { responseRequestSchema, type InputItem, type ResponseRequest } from './response-request.ts';
import { responseTools, toolPlaces } from './response-tools.ts';
import type { WrittenResponse, WrittenResponses } from './written-responses.ts';
import { wholeInput } from './whole-input.ts';

/** Where the parts of the job are in a request. */
function responseFieldOf(
  request: ResponseRequest,
  served: () => readonly ServerFunction[] | undefined,
): FieldOf {
  const fields = {
    prompt: 'input',
    format: 'text.format',
    schema: SCHEMA_FIELD,
    tools: (path: string) => `tools${path}`,
  };
  // Servers list their tools while the answer begins.
  return (fault) => jobFields(fields, toolPlaces(request, served()))(fault);
}

/** `POST v1/responses` */
export function creatingResponses(all: WrittenResponses): Handler {
  return async (context) => {
    const body = await context.body.parse(responseRequestSchema);
    const { conversation: id } = body;
    if (id == null) return answerTo(body, context, all);
    const leave = await turnIn(turnOf(context.key.id, id), context.signal);
    try {
      return await answerTo(body, context, all, leave);
    } catch (error) {
      leave();
      throw error;
    }
  };
}

/** @param onEnd - called when the answer is over */
async function answerTo(
  body: ResponseRequest,
  context: Context,
  all: WrittenResponses,
  onEnd: () => void = () => undefined,
): Promise<Response> {
  const { kept, conversations, known, items } = await remembered(body, context);
  const passages: Passage[] = [];
  const servers = new ServerItems();
  const [{ job, entry }, device] = await Promise.all([
    chatGeneration(context, (images) => responseJob(body, items, images, passages, servers)),
    context.device(),
  ]);
  const variant = chooseVariant(entry, device);
  const use = await hostedUse(context, body, job, {
    passages,
    servers,
    contextLength: contextThatFits(entry, variant, device),
  });
  const response = responseBody(body, defaultSampling(variant));
  const encoder = new ResponseEncoder(response, {
    content: body.reasoning?.summary === null,
    encrypted: body.include?.includes('reasoning.encrypted_content') ?? false,
    results: body.include?.includes('file_search_call.results') ?? false,
  });
  const stream = body.stream ?? false;
  const fieldOf = responseFieldOf(body, () => use?.servers?.functions);
  const onAnswered = async () => {
    const input = items.map(({ item }) => item);
    response.store &&= await kept.keep(response, input);
    // The answer is not lost if the conversation has become too large for it.
    if (known) await conversations.keep(continued(known, input, response)).catch(() => undefined);
  };
  const requested = {
    job,
    work: use ? answerWithTools(use) : runJob,
    encoder,
    stream,
    fieldOf,
    ignored: leftOut(body),
    onAnswered,
    onEnd,
  };
  const { client, key } = context;
  if (!client || !device.outlives || !response.store) return respond(context, requested);
  return respondWithout(client, context, requested, all.begin(key.id, response));
}

/** Responds as `respond` does, but the answer goes on if its page goes: the engine outlives it, and will keep the answer. */
async function respondWithout<E>(
  client: Client,
  context: Context,
  { encoder, onEnd, ...requested }: RequestedGeneration<E>,
  written: WrittenResponse,
): Promise<Response> {
  let letGo: (() => void) | undefined;
  const signal = AbortSignal.any([context.signal, written.deleted]);
  return respond(
    { ...context, signal },
    {
      ...requested,
      encoder: written.noting(encoder),
      goesOn: async () => {
        if (!(await client.hasGone())) return false;
        letGo = client.stay();
        return true;
      },
      onEnd: () => {
        written.end();
        letGo?.();
        onEnd?.();
      },
    },
  );
}

/** The whole input of a request, and the memory that it is in. `known`: its conversation; undefined: it has none. */
async function remembered(body: ResponseRequest, { engine, key }: Context) {
  const kept = new KeptResponses(engine, key.id);
  const conversations = new KeptConversations(engine, key.id);
  const { conversation: id } = body;
  const known = id == null ? undefined : await conversations.get(id, 'conversation');
  const items = await wholeInput(body, kept, known && inputItems(known));
  return { kept, conversations, known, items };
}

/**
 * A conversation with a request's items and its answer at the end.
 *
 * @param whole - the items of the conversation, then those of the request
 */
function continued(
  known: Conversation,
  whole: readonly InputItem[],
  { output }: Pick<ResponseBody, 'output'>,
): Conversation {
  const { conversation } = withItems(known, whole.slice(known.items.length));
  const items = [...conversation.items, ...output.map((each) => ({ ...each }))];
  return { ...conversation, items };
}

/** What the catalog knows of a model's defaults. The files of some models say more. */
function defaultSampling(variant: Variant): Partial<UsedSampling> {
  return variant.engine === 'llamacpp' ? (variant.sampling ?? {}) : {};
}

/** The job that counts the tokens of a request's prompt. */
export async function inputTokens(context: Context): Promise<RequestedJob<'tokens'>> {
  const body = await context.body.parse(responseRequestSchema);
  const { items } = await remembered(body, context);
  const read = new ServerItems();
  const { job, entry } = await chatGeneration(context, (images) =>
    responseJob(body, items, images, undefined, read),
  );
  const servers = serverUse(context, body, { servers: read, contextLength: entry.contextLength });
  await servers?.list(context);
  const tools = servers ? responseTools(body, servers.functions) : job.tools;
  return tokensOf(
    { ...job, ...(tools && { tools }) },
    responseFieldOf(body, () => servers?.functions),
  );
}

/** `POST v1/responses/input_tokens` */
export async function countInputTokens(context: Context): Promise<Response> {
  return answerWithCount(context, await inputTokens(context), (input_tokens) => ({
    object: 'response.input_tokens',
    input_tokens,
  }));
}
