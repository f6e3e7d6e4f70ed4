import * as v from 'valibot';
import { readAll } from '../../src/core/async/read-all.ts';
import { isServedBy, type Upstream } from '../../src/core/realms/upstreams.ts';
import { upstreamError } from './upstream-errors.ts';
import { upstreamFetch, type HeadersOf } from './upstream-fetch.ts';

/** How long a list is used again, milliseconds, and how long it is not asked for again after a failure. */
const FRESH_MS = 60_000;
const FAILED_MS = 5_000;
/** How long an upstream may take to list its models, milliseconds: the list of all models waits for it. */
const WAIT_MS = 5_000;
/** A list that never ends must not fill the memory. */
const MAX_BYTES = 2 * 1024 * 1024;

const listSchema = v.object({ data: v.array(v.record(v.string(), v.unknown())) });

/** A model as its upstream describes it. */
export type UpstreamModel = Record<string, unknown> & { id: string };

interface Kept {
  models: Promise<UpstreamModel[]>;
  until: number;
}

/** What forwarding needs to know about upstreams. */
export interface Upstreams {
  headersOf: HeadersOf;
  models: UpstreamModels;
}

/** Which models each upstream has, kept in memory for a minute. */
export class UpstreamModels {
  readonly #headersOf: HeadersOf;
  readonly #kept = new Map<string, Kept>();

  constructor(headersOf: HeadersOf) {
    this.#headersOf = headersOf;
  }

  /** The upstream's models that the site uses. @throws ApiError 502, 503, 504 */
  async of(upstream: Upstream): Promise<UpstreamModel[]> {
    const all = await this.#all(upstream);
    return all.filter(({ id }) => isServedBy(upstream, id));
  }

  /** Whether the upstream lists the model, and the site uses it. @throws ApiError 502, 503, 504 */
  async has(upstream: Upstream, id: string): Promise<boolean> {
    return (await this.of(upstream)).some((model) => model.id === id);
  }

  #all(upstream: Upstream): Promise<UpstreamModel[]> {
    const { name, baseURL } = upstream;
    const key = `${name} ${baseURL}`;
    const kept = this.#kept.get(key);
    if (kept && kept.until > Date.now()) return kept.models;
    const models = this.#fetched(upstream);
    const keep = (ms: number) => this.#kept.set(key, { models, until: Date.now() + ms });
    keep(FRESH_MS);
    models.catch(() => keep(FAILED_MS));
    return models;
  }

  async #fetched(upstream: Upstream): Promise<UpstreamModel[]> {
    const headers = new Headers({ accept: 'application/json' });
    const request = { path: '/models', method: 'GET', headers, timeoutMs: WAIT_MS };
    const response = await upstreamFetch(upstream, this.#headersOf, request);
    const value = await jsonOf(response).catch(() => undefined);
    const { success, output } = v.safeParse(listSchema, value);
    if (!success || !response.ok) throw upstreamError(upstream.name, 'upstream_invalid');
    return output.data.flatMap((model) =>
      typeof model.id === 'string' ? [{ ...model, id: model.id }] : [],
    );
  }
}

/** @throws if the body is not JSON, breaks off, is too large or takes too long */
async function jsonOf({ body }: Response): Promise<unknown> {
  const late = AbortSignal.timeout(WAIT_MS);
  const bytes =
    body && (await readAll(body.pipeThrough(new TransformStream(), { signal: late }), MAX_BYTES));
  return JSON.parse(new TextDecoder().decode(bytes ?? undefined));
}
