import type { RouteEntry } from '../../src/core/realms/routes.ts';
import type { KeptRequest } from '../http/kept-request.ts';
import { takesEndpoint } from '../upstreams/forward.ts';
import type { Placing } from './placing.ts';
import { cannotServe } from './route-errors.ts';

/**
 * Sends a request on to the upstream of a route's entry, if its key may leave this device and the upstream is up, lists
 * the model and gets requests to this endpoint.
 *
 * @param onChosen - called before it is sent
 * @throws ApiError 400, 502, 503, 504
 */
export async function answerAtUpstream(
  { place, model }: RouteEntry,
  request: KeptRequest,
  { context: { key }, upstreams, path, forwarded }: Placing,
  onChosen: () => void,
): Promise<Response> {
  const upstream = key.upstreams?.find(({ name }) => name === place);
  if (!upstream) throw cannotServe('Requests with this key stay on the device.');
  if (!takesEndpoint(upstream, path)) throw cannotServe('It gets no requests to this endpoint.');
  if (!(await upstreams.models.has(upstream, model))) {
    throw cannotServe('It does not list the model.');
  }
  onChosen();
  return forwarded(upstream, request);
}
