import { modelNotAllowed, promptTooLong } from '../../src/core/errors/errors.ts';
import type { Upstream } from '../../src/core/realms/upstreams.ts';
import {
  DEVICE,
  entryText,
  type FollowedRoute,
  type ModelRoute,
  type RouteEntry,
} from '../../src/core/realms/routes.ts';
import { chooseVariant } from '../../src/core/fit/choose-variant.ts';
import { contextThatFits } from '../../src/core/fit/context-that-fits.ts';
import { refusals } from '../../src/core/fit/device-fit.ts';
import type { Context } from '../context.ts';
import { countTokens } from '../generation/count-tokens.ts';
import { isAllowed } from '../model-access.ts';
import type { Handler } from '../road/road.ts';
import { takesEndpoint } from '../upstreams/forward.ts';
import type { Queues } from './queues.ts';
import type { Upstreams } from '../upstreams/upstream-models.ts';
import { cannotServe, isSkipped, routeUnavailable, type Skipped } from './route-errors.ts';

/** Where a request may be answered. */
export interface Places {
  upstreams: Upstreams;
  queues: Queues;
  /** Answers it on this device. */
  onDevice: Handler;
  /** Forwards it. */
  atUpstream: (upstream: Upstream, context: Context) => Promise<Response>;
}

/** How many bytes a prompt may be longer than its request: templates add some text. A token has at least one byte. */
const TEMPLATE_BYTES = 512;

/**
 * Answers a request by the first entry of a route that can.
 *
 * @param maker - the only place that can answer; undefined: any place
 * @throws ApiError 400 or 503 if no entry can, 403
 */
export async function followRoute(
  { name, entries }: ModelRoute,
  context: Context,
  places: Places,
  maker?: string,
): Promise<Response> {
  if (!isAllowed(context.key, name)) throw modelNotAllowed(name);
  const skipped: Skipped[] = [];
  const tell = (to?: string) => context.report?.routed(followed(name, skipped, to));
  for (const entry of entries) {
    const to = entryText(entry);
    try {
      return await attempt(entry, context, places, maker, () => tell(to));
    } catch (error) {
      if (!isSkipped(error)) throw error;
      skipped.push({ to, error: error.data });
    }
  }
  tell();
  throw routeUnavailable(name, skipped);
}

function followed(name: string, skipped: readonly Skipped[], to?: string): FollowedRoute {
  return {
    name,
    ...(to !== undefined && { to }),
    skipped: skipped.map(({ to: before, error }) => ({ to: before, reason: error.message })),
  };
}

/** @param onChosen - called when the entry's conditions hold */
async function attempt(
  entry: RouteEntry,
  context: Context,
  places: Places,
  maker: string | undefined,
  onChosen: () => void,
): Promise<Response> {
  const { place, model } = entry;
  if (maker !== undefined && maker !== place) {
    throw cannotServe('The previous response was made elsewhere.');
  }
  const body = await context.body.withModel(model);
  // A key that may use the route may use what it leads to.
  const own = { ...context, body, key: { ...context.key, models: [model] } };
  return place === DEVICE
    ? tryDevice(entry, own, places, onChosen)
    : tryUpstream(entry, own, places, onChosen);
}

/**
 * Answers a request on this device, if it can run the model of a route's entry, few enough requests are before it and
 * its prompt fits. Before its answer begins, the endpoint itself reports anything else that is missing.
 *
 * @throws ApiError of any kind
 */
async function tryDevice(
  { model, maxQueue }: RouteEntry,
  context: Context,
  { queues, onDevice }: Places,
  onChosen: () => void,
): Promise<Response> {
  const [entry, device] = await Promise.all([context.catalog.get(model), context.device()]);
  const variant = entry && chooseVariant(entry, device);
  if (variant && refusals(variant, device).length > 0) {
    throw cannotServe('This device cannot run it.');
  }
  const fits = entry && variant ? contextThatFits(entry, variant, device) : 0;
  const leave = await queues.enter(model, context, maxQueue);
  try {
    await requireFit(context, fits);
    onChosen();
    return leave.with(await onDevice(context));
  } catch (error) {
    leave.now();
    throw error;
  }
}

/**
 * @param fits - tokens of the model's context; 0: the browser has not told
 * @throws ApiError 400 if the prompt does not fit; what the endpoint throws
 */
async function requireFit(context: Context, fits: number): Promise<void> {
  const { body, endpoint } = context;
  if (!endpoint.count || fits === 0) return;
  const { size } = new Blob([await body.raw()]);
  if (size + TEMPLATE_BYTES <= fits) return;
  const { tokens, contextLength } = await countTokens(context, await endpoint.count(context));
  if (tokens > contextLength) throw promptTooLong(tokens, contextLength);
}

/**
 * Forwards a request to the upstream of a route's entry, if its key may leave this device and the upstream is up, lists
 * the model and gets requests to this endpoint.
 *
 * @throws ApiError 400, 502, 503, 504
 */
async function tryUpstream(
  { place, model }: RouteEntry,
  context: Context,
  { upstreams, atUpstream }: Places,
  onChosen: () => void,
): Promise<Response> {
  const upstream = context.key.upstreams?.find(({ name }) => name === place);
  if (!upstream) throw cannotServe('Requests with this key stay on the device.');
  if (!takesEndpoint(upstream, context.path)) {
    throw cannotServe('It gets no requests to this endpoint.');
  }
  if (!(await upstreams.models.has(upstream, model))) {
    throw cannotServe('It does not list the model.');
  }
  onChosen();
  return atUpstream(upstream, context);
}
