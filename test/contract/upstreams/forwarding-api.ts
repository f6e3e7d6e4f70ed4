import OpenAI from 'openai';
import { readRoutes, type GivenRouteEntry } from '../../../src/core/realms/routes.ts';
import { readUpstreams, type GivenUpstream } from '../../../src/core/realms/upstreams.ts';
import { createKey } from '../../../src/core/keys/key-format.ts';
import { createApp } from '../../../sw/app.ts';
import type { Grace } from '../../../sw/road/running-job.ts';
import type { HeadersOf } from '../../../sw/upstreams/upstream-fetch.ts';
import { UpstreamModels } from '../../../sw/upstreams/upstream-models.ts';
import {
  openUpstream,
  type SeenRequest,
  type UpstreamServer,
} from '../../support/servers/upstream-server.ts';
import { openApi, ORIGIN, type TestApi } from '../support/api.ts';
import { browserFetch } from '../support/browser-fetch.ts';

export const BIG = 'meta-llama/Llama-3.3-70B-Instruct';
export const SECRET = 'Bearer of-the-cluster';

/** An API that forwards requests to a cluster. */
export interface ForwardingApi {
  api: TestApi;
  cluster: UpstreamServer;
  /** Gives the cluster's headers. */
  headersOf: HeadersOf;
  /**
   * The openai package with a new key whose requests may be forwarded.
   *
   * @param given - changes to the upstream, whose models are `meta-llama/*` by default
   * @param models - the only models that the key may use
   */
  client(given?: Partial<GivenUpstream>, models?: string[]): Promise<OpenAI>;
  /**
   * The openai package with a new key that has routes.
   *
   * @param staysHere - the key may not use the cluster
   */
  routing(
    routes: Record<string, readonly GivenRouteEntry[]>,
    given?: { upstream?: Partial<GivenUpstream>; models?: string[]; staysHere?: boolean },
  ): Promise<OpenAI>;
  /** Sends requests as the newest client does. */
  fetch: typeof globalThis.fetch;
  /** All requests that the cluster got, except those for its models. */
  forwarded(): SeenRequest[];
}

/** @param graceMs - grace periods of the device's answers and of forwarded streams; undefined: the usual ones */
export async function openForwardingApi(graceMs?: Grace): Promise<ForwardingApi> {
  const api = await openApi({ isWatchable: true, ...(graceMs && { graceMs }) });
  const cluster = await openUpstream([BIG, 'meta-llama/Other', 'secret/one']);
  const all: ForwardingApi = {
    api,
    cluster,
    headersOf: () => Promise.resolve({ authorization: SECRET }),
    client: (changed, models) =>
      all.routing({}, { ...(changed && { upstream: changed }), ...(models && { models }) }),
    routing: async (given, { upstream, models, staysHere = false } = {}) => {
      const upstreams = readUpstreams(
        [{ name: 'cluster', baseURL: cluster.baseURL, models: ['meta-llama/*'], ...upstream }],
        new URL(`${ORIGIN}/`),
      );
      const routes = readRoutes(given, upstreams);
      const key = createKey();
      const rights = { routes, ...(!staysHere && { upstreams }), ...(models && { models }) };
      await api.keys.add(key, { label: 'page', ...rights });
      const headersOf: HeadersOf = (asked) => all.headersOf(asked);
      const lists = new UpstreamModels(headersOf);
      const app = createApp({ ...api.options, upstreams: { headersOf, models: lists } });
      all.fetch = browserFetch(app);
      return new OpenAI({ baseURL: `${ORIGIN}/v1`, apiKey: key, fetch: all.fetch, maxRetries: 0 });
    },
    fetch,
    forwarded: () => cluster.requests.filter(({ path }) => path !== '/v1/models'),
  };
  return all;
}
