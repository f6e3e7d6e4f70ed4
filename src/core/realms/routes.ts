import { isServedBy, type Upstream } from './upstreams.ts';

/** The place that stands for this device in a route's entries. */
export const DEVICE = 'device';

/** Where a route may lead. */
export interface RouteEntry {
  /** `device`, or the name of an upstream. */
  place: string;
  /** The model's id there. */
  model: string;
  /** Use this entry only if fewer requests than this wait for the model or are being answered. */
  maxQueue?: number;
}

/** A name that requests may give as their model, and the models that may answer: the first one that can. */
export interface ModelRoute {
  name: string;
  entries: RouteEntry[];
}

/** An entry as a site gives it: `device:MODEL` or `UPSTREAM:MODEL`. */
export type GivenRouteEntry = string | { to: string; maxQueue?: number };

/** How a request's route was followed. */
export interface FollowedRoute {
  name: string;
  /** The entry that answers, such as `device:owner/name`; undefined: none can. */
  to?: string;
  /** The entries before it, and why each of them cannot. */
  skipped: { to: string; reason: string }[];
}

/** The entry as sites write it. */
export function entryText({ place, model }: RouteEntry): string {
  return `${place}:${model}`;
}

/**
 * The routes as a site gives them to `start()`.
 *
 * @param upstreams - the site's
 * @throws TypeError with a message for the developer
 */
export function readRoutes(
  given: Readonly<Record<string, readonly GivenRouteEntry[]>>,
  upstreams: readonly Upstream[],
): ModelRoute[] {
  return Object.entries(given).map(([name, entries]) => {
    check(name !== '', 'must have names');
    check(
      isList(entries) && entries.length > 0,
      `must be lists of models, each with one or more (${name})`,
    );
    return { name, entries: entries.map((entry) => readEntry(entry, name, upstreams)) };
  });
}

function readEntry(
  given: GivenRouteEntry,
  name: string,
  upstreams: readonly Upstream[],
): RouteEntry {
  const { to, maxQueue } = typeof given === 'string' ? { to: given, maxQueue: undefined } : given;
  const [, place, model] = /^([^:]+):(.+)$/s.exec(to) ?? [];
  check(
    place !== undefined && model !== undefined,
    `must lead to 'device:MODEL' or 'UPSTREAM:MODEL', not '${to}' (${name})`,
  );
  if (place !== DEVICE) {
    const upstream = upstreams.find((each) => each.name === place);
    check(
      upstream !== undefined,
      `must lead to the device or to an upstream, not '${to}' (${name})`,
    );
    check(
      isServedBy(upstream, model),
      `must lead to models of the upstream, not '${to}' (${name})`,
    );
  }
  if (maxQueue === undefined) return { place, model };
  check(
    Number.isSafeInteger(maxQueue) && maxQueue > 0,
    `must have whole numbers from 1 as maxQueue (${name})`,
  );
  check(
    place === DEVICE,
    `can have a maxQueue for models of the device only, not '${to}' (${name})`,
  );
  return { place, model, maxQueue };
}

function isList(value: unknown): value is readonly GivenRouteEntry[] {
  return Array.isArray(value);
}

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new TypeError(`routes ${what}.`);
}
