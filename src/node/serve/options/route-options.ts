import type { BridgedUpstream } from '../../../core/realms/bridge-messages.ts';
import { DEVICE, readRoutes, type GivenRouteEntry } from '../../../core/realms/routes.ts';
import { UsageError } from '../../command-line.ts';
import { namedOption } from './named-option.ts';
import { messageOf } from '../../../core/text/message-of.ts';

/** Names that requests may give as their model → where they lead to, such as `device:owner/name`. */
export type RouteOptions = Record<string, GivenRouteEntry[]>;

/**
 * The routes that the command line names.
 *
 * @param given - such as `assistant=device:slashv1/tiny-chat,cluster:meta-llama/Llama-3.3-70B-Instruct`
 * @param upstreams - upstreams that routes may lead to
 * @param maxQueue - limit of the routes' entries for this device
 * @throws UsageError
 */
export function readRouteOptions(
  given: readonly string[],
  upstreams: readonly BridgedUpstream[],
  maxQueue?: number,
): RouteOptions {
  const routes = new Map<string, GivenRouteEntry[]>();
  for (const text of given) {
    const option = namedOption(text);
    if (!option) {
      throw new UsageError(
        `--route must be name=device:MODEL,UPSTREAM:MODEL, not "${text}": models in the order in which they are tried.`,
      );
    }
    const { name, value } = option;
    if (routes.has(name)) throw new UsageError(`--route has the name '${name}' twice.`);
    const entries = value
      .split(',')
      .map((to) => (maxQueue !== undefined && to.startsWith(`${DEVICE}:`) ? { to, maxQueue } : to));
    routes.set(name, entries);
  }
  const all = Object.fromEntries(routes);
  try {
    readRoutes(
      all,
      upstreams.map(({ name, baseURL }) => ({ name, baseURL, models: ['*'] })),
    );
  } catch (error) {
    const known = ['device', ...upstreams.map(({ name }) => name)].join(', ');
    const reason = messageOf(error);
    throw new UsageError(`--route: ${reason} It may lead to: ${known}.`);
  }
  return all;
}
