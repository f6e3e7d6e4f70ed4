/** A server with the same API that requests of this site's pages may be forwarded to. */
export interface Upstream {
  /** Letters, digits, ".", "_" and "-", but not `device`. Errors and responses name the upstream by it. */
  name: string;
  /** Absolute, such as `https://llm.example.org/v1`, without a slash at its end. */
  baseURL: string;
  /** Ids of its models; "*" in one stands for any characters. */
  models: string[];
  /** The only endpoints that it gets, such as `chat/completions`; undefined: all that name a model. */
  endpoints?: string[];
  /** Whether it also gets requests for models that this device knows but has not installed. */
  fallback?: boolean;
  /** Most time until its answer begins, and between events of a stream, milliseconds; undefined: ten minutes. */
  timeoutMs?: number;
}

/** Header of every response: `device`, or `upstream; name=…`. */
export const SERVED_BY_HEADER = 'x-slashv1-served-by';

/** Whether the site uses this model of the upstream. */
export function isServedBy({ models }: Upstream, id: string): boolean {
  return models.some((pattern) => {
    const [first = '', ...others] = pattern.split('*');
    const last = others.pop();
    if (last === undefined) return id === pattern;
    let from = first.length;
    for (const part of others) {
      const found = id.indexOf(part, from);
      if (found < 0) return false;
      from = found + part.length;
    }
    return id.startsWith(first) && id.endsWith(last) && id.length >= from + last.length;
  });
}

/** Name of a Web Lock that pages of the same folder agree on: its holder gives the upstream's headers. */
export function upstreamLock(base: string, { name, baseURL }: Upstream): string {
  return `slashv1:upstream:${base}:${name}:${baseURL}`;
}

/** An upstream as a site gives it to `start()`, without its headers. JavaScript can pass anything here. */
export interface GivenUpstream {
  name: string;
  baseURL: string | URL;
  models: '*' | readonly string[];
  endpoints?: readonly string[];
  fallback?: boolean;
  timeoutMs?: number;
}

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

/**
 * @param site - folder that the site's own `v1` is in
 * @throws TypeError with a message for the developer
 */
export function readUpstreams(given: readonly GivenUpstream[], site: URL): Upstream[] {
  check(isList(given), 'must be a list');
  const upstreams = given.map((each) => readUpstream(each, site));
  const names = new Set(upstreams.map(({ name }) => name));
  check(names.size === upstreams.length, 'must have different names');
  return upstreams;
}

function readUpstream(
  { name, baseURL, models, endpoints, fallback = false, timeoutMs }: GivenUpstream,
  site: URL,
): Upstream {
  check(
    typeof name === 'string' && NAME.test(name),
    `must have names of letters, digits, ".", "_" and "-", not '${name}'`,
  );
  // In routes, `device` stands for this device.
  check(name !== 'device', `cannot be called 'device'`);
  const patterns: readonly unknown[] = models === '*' ? ['*'] : models;
  check(isTexts(patterns), `must have models: '*' or a list of ids (${name})`);
  check(endpoints === undefined || isTexts(endpoints), `must have lists of endpoints (${name})`);
  check(timeoutMs === undefined || timeoutMs > 0, `must have a timeoutMs above 0 (${name})`);
  return {
    name,
    baseURL: baseOf(String(baseURL), name, site),
    models: patterns.map(String),
    ...(endpoints && { endpoints: endpoints.map((each) => each.replaceAll(/^\/|\/$/g, '')) }),
    ...(fallback && { fallback }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

function baseOf(given: string, name: string, site: URL): string {
  const url = URL.canParse(given, site) ? new URL(given, site) : undefined;
  check(
    url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      url.username + url.password + url.search + url.hash === '',
    `must have an http or https baseURL without a user, query or fragment (${name})`,
  );
  const { protocol, hostname, href } = url;
  const isLocal = /^(?:localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);
  check(
    site.protocol !== 'https:' || protocol === 'https:' || isLocal,
    `must have an https baseURL: the browser blocks http in an https page (${name})`,
  );
  const base = href.replace(/\/+$/, '');
  const own = new URL('v1', site).href;
  check(!`${base}/`.startsWith(`${own}/`), `cannot be slashv1 itself (${name})`);
  return base;
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')
  );
}

function check(condition: boolean, what: string): asserts condition {
  if (!condition) throw new TypeError(`upstreams ${what}.`);
}
