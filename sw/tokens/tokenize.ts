import * as v from 'valibot';
import { invalidRequest } from '../../src/core/errors/errors.ts';
import type { TokensEvent } from '../../src/core/operations/events.ts';
import type { TokensJob } from '../../src/core/operations/jobs.ts';
import type { Context } from '../context.ts';
import { answerWithTokens } from '../generation/count-tokens.ts';
import { flag, model, object, optional, text, tokenId } from '../http/fields.ts';
import { clientOf, requireTextModel } from '../model-access.ts';

/** The fields of vLLM, and those of llama.cpp's server. */
export const tokenizeSchema = object(
  {
    model,
    prompt: optional(text),
    content: optional(text),
    return_token_strs: optional(flag),
    with_pieces: optional(flag),
  },
  'must be a JSON object',
);

export const detokenizeSchema = object(
  { model, tokens: v.array(tokenId, 'must be an array') },
  'must be a JSON object',
);

/** `POST v1/tokenize` */
export async function tokenize(context: Context): Promise<Response> {
  const body = await context.body.parse(tokenizeSchema);
  const { field, asked } = askedText(body);
  const job = {
    model: body.model,
    of: { kind: 'raw' as const, text: asked },
    pieces: body.return_token_strs === true || body.with_pieces === true,
  };
  return answer(context, job, field, ({ ids, pieces = [], contextLength }) => ({
    tokens: body.with_pieces ? ids.map((id, index) => ({ id, piece: pieces[index] })) : ids,
    count: ids.length,
    max_model_len: contextLength,
    token_strs: body.return_token_strs ? pieces : null,
  }));
}

/** The text of a request, and the field that has it. @throws ApiError 400 */
export function askedText(body: v.InferOutput<typeof tokenizeSchema>) {
  const field = body.prompt == null ? 'content' : 'prompt';
  const asked = body[field];
  if (asked == null) throw invalidRequest("'prompt' is required.", 'prompt');
  return { field, asked } as const;
}

/** `POST v1/detokenize` */
export async function detokenize(context: Context): Promise<Response> {
  const { model: id, tokens } = await context.body.parse(detokenizeSchema);
  const job = { model: id, of: { kind: 'tokens' as const, ids: tokens } };
  return answer(context, job, 'prompt', (event) => ({ prompt: event.text, content: event.text }));
}

/** @param promptField - the field that a fault of the prompt is about */
async function answer(
  context: Context,
  job: Pick<TokensJob, 'model' | 'of' | 'pieces'>,
  promptField: string,
  body: (event: TokensEvent) => unknown,
): Promise<Response> {
  await requireTextModel(context, job);
  const fieldOf = ({ part, path }: { part: string; path: string }) =>
    (part === 'prompt' ? promptField : part) + path;
  const whole = { op: 'tokens' as const, ...job, ...clientOf(context.key) };
  return answerWithTokens(context, { job: whole, answers: 0, fieldOf }, body);
}
