import { DEVICE } from '../../src/core/realms/routes.ts';
import type { Upstream } from '../../src/core/realms/upstreams.ts';
import type { Context } from '../context.ts';
import type { Stage } from '../road/road.ts';
import { findUpstream } from '../upstreams/find-upstream.ts';
import { forward, takesEndpoint } from '../upstreams/forward.ts';
import type { Upstreams } from '../upstreams/upstream-models.ts';
import { earlyStream } from './early-stream.ts';
import { followRoute, type Places } from './follow-route.ts';
import { Queues } from './queues.ts';
import {
  aboutResponse,
  madeElsewhere,
  makerOf,
  makerUnknown,
  previousOf,
  remembered,
} from './upstream-responses.ts';

/**
 * Place: leaves a request to this device, or forwards it to an upstream. It is forwarded if its model is a route that
 * leads there, or if this device does not serve the model and the key may use an upstream that has it.
 *
 * @param hasSignals - whether the contexts' signals abort when clients hang up
 */
export function placed(upstreams: Upstreams | undefined, hasSignals = false): Stage {
  if (!upstreams) return (context, next) => next(context);
  const queues = new Queues();
  const atUpstream: Places['atUpstream'] = async (upstream, context) =>
    remembered(await forward(upstream, context, upstreams.headersOf), upstream, context);
  return async (context, next) => {
    const { request, key, endpoint, path } = context;
    if (request.method !== 'POST') {
      return (await aboutResponse(context, upstreams)) ?? next(context);
    }
    const usable = (key.upstreams ?? []).filter((each) => takesEndpoint(each, path));
    const isManaging = endpoint.path.startsWith('models/');
    if (isManaging || (usable.length === 0 && !key.routes)) return next(context);
    const places = { upstreams, queues, atUpstream, onDevice: next };
    if (hasSignals) return inPlace(context, usable, places);
    return earlyStream(context, (own, sentTo) =>
      inPlace(own, usable, {
        ...places,
        atUpstream(upstream, asked) {
          sentTo(upstream);
          return atUpstream(upstream, asked);
        },
      }),
    );
  };
}

async function inPlace(
  context: Context,
  usable: readonly Upstream[],
  places: Places,
): Promise<Response> {
  const { upstreams, onDevice, atUpstream } = places;
  const { model, previous_response_id: continued } = (await context.body.fields()) ?? {};
  // If no model is named or the body is broken, this device says so.
  if (typeof model !== 'string') return onDevice(context);
  const previous = previousOf(continued, context);
  const maker = previous && (await makerOf(previous, context));
  const route = context.key.routes?.find(({ name }) => name === model);
  if (route) {
    if (previous && maker === undefined) throw makerUnknown(previous);
    return followRoute(route, context, places, maker);
  }
  const makers = usable.filter(({ name }) => name === maker);
  const able = makers.length > 0 ? makers : usable;
  const upstream = await findUpstream(model, able, context, upstreams.models);
  const place = upstream?.name ?? DEVICE;
  if (previous && maker !== undefined && maker !== place) {
    throw madeElsewhere(previous, model, maker);
  }
  return upstream ? atUpstream(upstream, context) : onDevice(context);
}
