import { invalidRequest, type ApiError } from '../../src/core/errors/errors.ts';
import { DEVICE } from '../../src/core/realms/routes.ts';
import type { Upstream } from '../../src/core/realms/upstreams.ts';
import type { Context } from '../context.ts';
import { forward, takesEndpoint } from '../upstreams/forward.ts';
import { MadeResponses } from '../upstreams/made-responses.ts';
import { tellingId } from '../upstreams/response-id.ts';
import type { Upstreams } from '../upstreams/upstream-models.ts';

/** The response of an upstream, whose id is remembered if it is one of `POST v1/responses`. */
export function remembered(
  response: Response,
  { name }: Upstream,
  { engine, key, endpoint }: Context,
): Response {
  if (endpoint.path !== 'responses' || !response.ok || !response.body) return response;
  const made = new MadeResponses(engine, key.id);
  return new Response(
    tellingId(response.body, (id) => void made.note(id, name)),
    response,
  );
}

/**
 * Forwards a request about a response to the upstream that made the response.
 *
 * @returns undefined if none of the key's upstreams is known to have made it
 * @throws ApiError 502, 503, 504
 */
export async function aboutResponse(
  context: Context,
  { headersOf }: Pick<Upstreams, 'headersOf'>,
): Promise<Response | undefined> {
  const { request, endpoint, engine, key, names } = context;
  const [id = ''] = names;
  if (!endpoint.path.startsWith('responses/{') || !key.upstreams) return undefined;
  const made = new MadeResponses(engine, key.id);
  const maker = await made.placeOf(id);
  const upstream = key.upstreams.find(({ name }) => name === maker);
  if (!upstream || !takesEndpoint(upstream, 'v1/responses')) return undefined;
  const response = await forward(upstream, context, headersOf);
  if (request.method === 'DELETE' && response.ok) await made.forget(id);
  return response;
}

/** The response that a request continues; undefined: none. Only requests of the Responses API continue one. */
export function previousOf(id: unknown, { endpoint }: Context): string | undefined {
  const isContinued = /^responses\b/.test(endpoint.path) && typeof id === 'string' && id !== '';
  return isContinued ? id : undefined;
}

/** The place that has made a response; undefined: it is not known. */
export function makerOf(id: string, { engine, key }: Context): Promise<string | undefined> {
  return new MadeResponses(engine, key.id).placeOf(id);
}

/** 400: the response that the request continues is in another place than its model. */
export function madeElsewhere(id: string, model: string, maker: string): ApiError {
  const where = maker === DEVICE ? 'on this device' : `by the upstream '${maker}'`;
  return invalidRequest(
    `Previous response '${id}' was made ${where}, which does not serve the model '${model}'.`,
    'previous_response_id',
    'previous_response_not_found',
  );
}

/** 400: the request of a route continues a response, and it is not known where that was made. */
export function makerUnknown(id: string): ApiError {
  return invalidRequest(
    `Previous response '${id}' not found: it is not known where it was made. Send the whole conversation in \`input\`.`,
    'previous_response_id',
    'previous_response_not_found',
  );
}
