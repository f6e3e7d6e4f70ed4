import { DEVICE } from '../../src/core/realms/routes.ts';
import type { Upstream } from '../../src/core/realms/upstreams.ts';
import { kept, placeFields, requestOf, type KeptRequest } from '../http/kept-request.ts';
import { findUpstream } from '../upstreams/find-upstream.ts';
import { forward, takesEndpoint } from '../upstreams/forward.ts';
import { followRoute } from './follow-route.ts';
import type { PlacedRequest, Placing } from './placing.ts';
import {
  aboutResponse,
  madeElsewhere,
  makerOf,
  makerUnknown,
  previousOf,
  remembered,
} from './upstream-responses.ts';

/**
 * Answers a request on this device, or sends it on to an upstream: if its model is a route that leads there, or if its key
 * may use an upstream that has the model, and this device does not serve it itself.
 *
 * @throws ApiError of any kind
 */
export async function answerInPlace(placed: PlacedRequest): Promise<Response> {
  const { context, endpoint, path, upstreams, starts, start } = placed;
  const { request, key } = context;
  if (request.method !== 'POST') return (await aboutResponse(placed)) ?? endpoint.handle(context);
  const usable = (key.upstreams ?? []).filter((each) => takesEndpoint(each, path));
  const isManaging = endpoint.path.startsWith('models/');
  if (isManaging || (usable.length === 0 && !key.routes)) {
    return endpoint.handle(start ? { ...context, request: requestOf(await start.given) } : context);
  }
  const { headersOf } = start ?? upstreams;
  return answerKept(await (start?.given ?? kept(request)), usable, {
    ...placed,
    forwarded: async (upstream, sent) => {
      starts.note(request, upstream);
      const response = await forward(upstream, sent, { ...placed, headersOf });
      return remembered(response, upstream, placed);
    },
  });
}

async function answerKept(
  given: KeptRequest,
  usable: readonly Upstream[],
  placing: Placing,
): Promise<Response> {
  const { context, endpoint, upstreams, start } = placing;
  const fields = await (start?.fields ?? placeFields(given));
  const { model } = fields;
  if (model === undefined) return endpoint.handle({ ...context, request: requestOf(given) });
  const previous = previousOf(fields, placing);
  const maker = previous && (await makerOf(previous, placing));
  const route = context.key.routes?.find(({ name }) => name === model);
  if (route) {
    if (previous && maker === undefined) throw makerUnknown(previous);
    return followRoute(route, given, placing, maker);
  }
  const makers = usable.filter(({ name }) => name === maker);
  const able = makers.length > 0 ? makers : usable;
  const upstream = await findUpstream(model, able, context, upstreams.models);
  const place = upstream?.name ?? DEVICE;
  if (previous && maker !== undefined && maker !== place) {
    throw madeElsewhere(previous, model, maker);
  }
  if (upstream) return placing.forwarded(upstream, given);
  return endpoint.handle({ ...context, request: requestOf(given) });
}
