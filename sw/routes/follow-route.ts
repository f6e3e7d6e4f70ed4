import { modelNotAllowed } from '../../src/core/errors/errors.ts';
import {
  DEVICE,
  entryText,
  type FollowedRoute,
  type ModelRoute,
  type RouteEntry,
} from '../../src/core/realms/routes.ts';
import { withModel, type KeptRequest } from '../http/kept-request.ts';
import { isAllowed } from '../model-access.ts';
import { answerOnDevice } from './device-entry.ts';
import type { Placing } from './placing.ts';
import { cannotServe, isSkipped, routeUnavailable, type Skipped } from './route-errors.ts';
import { answerAtUpstream } from './upstream-entry.ts';

/**
 * Answers a request by the first entry of a route that can.
 *
 * @param maker - the only place that can; undefined: any
 * @throws ApiError 400 or 503 if none can, 403
 */
export async function followRoute(
  { name, entries }: ModelRoute,
  given: KeptRequest,
  placing: Placing,
  maker?: string,
): Promise<Response> {
  const { key } = placing.context;
  if (!isAllowed(key, name)) throw modelNotAllowed(name);
  const skipped: Skipped[] = [];
  const tell = (to?: string) => placing.onRoute?.(followed(name, skipped, to));
  for (const entry of entries) {
    const to = entryText(entry);
    try {
      return await attempt(entry, given, placing, maker, () => tell(to));
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
  given: KeptRequest,
  placing: Placing,
  maker: string | undefined,
  onChosen: () => void,
): Promise<Response> {
  const { place, model } = entry;
  if (maker !== undefined && maker !== place) {
    throw cannotServe('The previous response was made elsewhere.');
  }
  const request = await withModel(given, model);
  // A key that may use the route may use what it leads to.
  const key = { ...placing.context.key, models: [model] };
  const own = { ...placing, context: { ...placing.context, key } };
  return place === DEVICE
    ? answerOnDevice(entry, request, own, onChosen)
    : answerAtUpstream(entry, request, own, onChosen);
}
