import type { FollowedRoute } from '../../src/core/realms/routes.ts';
import type { Upstream } from '../../src/core/realms/upstreams.ts';
import type { Context } from '../context.ts';
import type { KeptRequest } from '../http/kept-request.ts';
import type { Route } from '../http/routes.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import type { HeadStart, HeadStarts } from './head-starts.ts';
import type { Queues } from './queues.ts';

/** A checked request, and what decides where it is answered. */
export interface PlacedRequest {
  context: Context;
  /** What answers it on this device. */
  endpoint: Pick<Route<Context>, 'path' | 'handle' | 'count'>;
  /** As routes name it: `v1/chat/completions`. */
  path: string;
  upstreams: Upstreams;
  queues: Queues;
  starts: HeadStarts;
  /** Undefined: the request is unread. */
  start: HeadStart | undefined;
  /** Aborts when the client hangs up, if that can be known. */
  signal?: AbortSignal | undefined;
  /** Called with each decision about a route: the last one holds. */
  onRoute?: ((route: FollowedRoute) => void) | undefined;
}

/** With the way to upstreams. */
export interface Placing extends PlacedRequest {
  forwarded: (upstream: Upstream, request: KeptRequest) => Promise<Response>;
}
