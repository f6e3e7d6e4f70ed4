import * as v from 'valibot';
import { invalidRequest } from '../../src/core/errors/errors.ts';
import type { TokensJob } from '../../src/core/operations/jobs/jobs.ts';
import { chatJob } from '../chat/chat-job.ts';
import { chatRequestEntries } from '../chat/chat-request.ts';
import { tokensOfChat } from '../chat/create-chat-completion.ts';
import type { Context } from '../context.ts';
import { answerWithTokens } from '../generation/count-tokens.ts';
import { anyObject, flag, model, object, optional, text, tokenId } from '../http/fields.ts';
import { clientOf, requireTextModel } from '../model-access.ts';
import type { FieldOf, RequestedJob } from '../road/running-job.ts';

/** How the tokens are answered: the fields of vLLM, and those of llama.cpp's server. */
const wayEntries = { return_token_strs: optional(flag), with_pieces: optional(flag) };

export const textTokensSchema = object(
  { model, prompt: optional(text), content: optional(text), ...wayEntries },
  'must be a JSON object',
);

/** The fields of a chat, as in vLLM. */
export const chatTokensSchema = object(
  {
    ...chatRequestEntries,
    ...wayEntries,
    prompt: optional(v.unknown()),
    content: optional(v.unknown()),
  },
  'must be a JSON object',
);

export const tokenizeSchema = v.lazy((body): typeof textTokensSchema | typeof chatTokensSchema =>
  v.is(anyObject, body) && body['messages'] != null ? chatTokensSchema : textTokensSchema,
);

type TextRequest = v.InferOutput<typeof textTokensSchema>;
type ConversationRequest = v.InferOutput<typeof chatTokensSchema>;

export const detokenizeSchema = object(
  { model, tokens: v.array(tokenId, 'must be an array') },
  'must be a JSON object',
);

/** `POST v1/tokenize` */
export async function tokenize(context: Context): Promise<Response> {
  const body = await context.body.parse(tokenizeSchema);
  const { job, ...rest } = isConversation(body)
    ? await tokensOfConversation(context, body)
    : await tokensOfText(context, body);
  const pieces = body.return_token_strs === true || body.with_pieces === true;
  const told = { ...rest, job: { ...job, pieces } };
  return answerWithTokens(context, told, (event) => {
    const { ids, count = ids.length, pieces: texts = [], contextLength } = event;
    return {
      tokens: body.with_pieces ? ids.map((id, index) => ({ id, piece: texts[index] })) : ids,
      count,
      max_model_len: contextLength,
      token_strs: body.return_token_strs ? texts : null,
    };
  });
}

/** Checks what the schema does not. @throws ApiError 400 */
export function checkTokenize(body: TextRequest | ConversationRequest): void {
  if (isConversation(body)) chatJob(oneOf(body), []);
  else askedText(body);
}

function isConversation(body: TextRequest | ConversationRequest): body is ConversationRequest {
  return 'messages' in body;
}

/** The tokens of a conversation are those that a chat about it begins with. */
async function tokensOfConversation(
  context: Context,
  body: ConversationRequest,
): Promise<RequestedJob<'tokens'>> {
  const { job, ...rest } = await tokensOfChat(context, oneOf(body));
  const { of } = job;
  if (body.add_generation_prompt !== false || of.kind !== 'chat') return { job, ...rest };
  const { continuesFinal: _, ...prompt } = of;
  const isClosed = body.continue_final_message !== true;
  return { job: { ...job, of: isClosed ? { ...prompt, isClosed } : of }, ...rest };
}

/** @throws ApiError 400 for a request with two texts */
function oneOf(body: ConversationRequest): ConversationRequest {
  const other = (['prompt', 'content'] as const).find((field) => body[field] != null);
  if (other === undefined) return body;
  throw invalidRequest(`'${other}' is not allowed beside 'messages'.`, other);
}

async function tokensOfText(context: Context, body: TextRequest): Promise<RequestedJob<'tokens'>> {
  const { field, asked } = askedText(body);
  const of = { kind: 'raw' as const, text: asked };
  return requested(context, { model: body.model, of }, field);
}

/** The text of a request, and the field that has it. @throws ApiError 400 */
function askedText(body: TextRequest) {
  const field = body.prompt == null ? 'content' : 'prompt';
  const asked = body[field];
  if (asked == null) throw invalidRequest("'prompt' or 'messages' is required.", 'prompt');
  return { field, asked } as const;
}

/** `POST v1/detokenize` */
export async function detokenize(context: Context): Promise<Response> {
  const { model: id, tokens } = await context.body.parse(detokenizeSchema);
  const job = { model: id, of: { kind: 'tokens' as const, ids: tokens } };
  const whole = await requested(context, job, 'prompt');
  return answerWithTokens(context, whole, ({ text: prompt }) => ({ prompt, content: prompt }));
}

/**
 * @param promptField - the field that a fault of the prompt is about
 * @throws ApiError if the model writes no text
 */
async function requested(
  context: Context,
  job: Pick<TokensJob, 'model' | 'of'>,
  promptField: string,
): Promise<RequestedJob<'tokens'>> {
  await requireTextModel(context, job);
  const fieldOf: FieldOf = ({ part, path }) => (part === 'prompt' ? promptField : part) + path;
  return { job: { op: 'tokens', ...job, ...clientOf(context.key) }, answers: 0, fieldOf };
}
