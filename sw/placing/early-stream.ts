import * as v from 'valibot';
import { toErrorData, type ApiErrorData } from '../../src/core/errors/errors.ts';
import { SERVED_BY_HEADER, type Upstream } from '../../src/core/realms/upstreams.ts';
import type { Context } from '../context.ts';
import { byteStream, type Piece } from '../http/byte-stream.ts';
import { anthropicError, errorBody } from '../http/error-response.ts';
import { dataStreamEnd, eventResponse, namedFrame } from '../http/event-stream.ts';
import { firstOrGrace } from '../road/running-job.ts';

/** Makes the error event of a stream, by the paths of the endpoints that stream. */
const FAILURES: Readonly<Record<string, (data: ApiErrorData) => string>> = {
  'chat/completions': dataStreamEnd.failure,
  completions: dataStreamEnd.failure,
  responses(data) {
    const error = errorBody(data);
    const { code, message, param } = error;
    return namedFrame('error', { code, message, param, error, sequence_number: 0 });
  },
  messages(data) {
    const { type, error } = anthropicError(data);
    return namedFrame(type, { error });
  },
};

/** The part of an upstream's error that goes into a stream. */
const errorSchema = v.object({
  error: v.object({ message: v.string(), code: v.optional(v.unknown()) }),
});

/** Tells that a request is sent to an upstream. */
type SentTo = (upstream: Upstream) => void;

/**
 * The answer to a request that may be forwarded. Once it is forwarded, a stream begins after the grace even if the
 * upstream is still silent, because only a cancelled body shows that the client has left. A later failure is an event
 * in the stream.
 */
export async function earlyStream(
  context: Context,
  answer: (context: Context, sentTo: SentTo) => Promise<Response>,
): Promise<Response> {
  const failure = FAILURES[context.endpoint.path];
  const { stream } = (failure && (await context.body.fields())) ?? {};
  if (!failure || stream !== true) return answer(context, () => undefined);
  const leaving = new AbortController();
  const signal = AbortSignal.any([context.signal, leaving.signal]);
  const sent = Promise.withResolvers<Upstream>();
  const answering = answer({ ...context, signal }, sent.resolve);
  const upstream = await Promise.race([answering, sent.promise]);
  if (upstream instanceof Response) return upstream;
  let response: Response | undefined;
  const answered = answering.then((given) => (response = given));
  await firstOrGrace(answered, context.graceMs.stream);
  if (response) return response;
  const body = byteStream(
    async (write) => {
      const late = await answering.catch((error: unknown) => toErrorData(error));
      if (!(late instanceof Response)) return failure(late);
      if (!late.ok) return failure(await errorIn(late));
      await copy(late, write);
      return undefined;
    },
    // WebKitGTK must not get the abort while the stream is being cancelled, see `begin`.
    () => queueMicrotask(() => leaving.abort(new DOMException('The client hung up', 'AbortError'))),
  );
  const early = eventResponse(body);
  early.headers.set(SERVED_BY_HEADER, `upstream; name=${upstream.name}`);
  return early;
}

/** The error that an upstream has answered with. */
async function errorIn(response: Response): Promise<ApiErrorData> {
  const { success, output } = v.safeParse(
    errorSchema,
    await response.json().catch(() => undefined),
  );
  const { status } = response;
  const { message, code } = success ? output.error : { message: `HTTP ${status}`, code: undefined };
  return {
    status,
    type: status < 500 ? 'invalid_request_error' : 'server_error',
    code: typeof code === 'string' ? code : null,
    param: null,
    message,
  };
}

async function copy({ body }: Response, write: (piece: Piece) => Promise<void>): Promise<void> {
  const reader = body?.getReader();
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (!value) return;
    await write(value);
  }
}
