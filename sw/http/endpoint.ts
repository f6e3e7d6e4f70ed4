import { ApiError, invalidRequest, refusal } from '../../src/core/errors/errors.ts';
import type { RequestedJob } from '../road/running-job.ts';

/** The handler of requests with one method and path. */
export interface Endpoint<C> {
  method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS';
  /** Path below `v1/`. A name in braces stands for its pattern in PATTERNS. */
  path: string;
  /** No key is needed: the endpoint tells nothing about prompts and answers. */
  keyless?: true;
  /** The URL is signed, because clients of this endpoint cannot send an Authorization header. */
  signed?: true;
  handle(context: C): Promise<Response>;
  /** Makes the job that counts the tokens of a request's prompt. */
  count?: (context: C) => Promise<RequestedJob<'tokens'>>;
}

/** A model's id may have slashes. */
const PATTERNS = {
  model: '.+?',
  response: 'resp_[^/]+',
  conversation: 'conv_[^/]+',
  item: '[^/]+',
  file: '[^/]+',
  store: '[^/]+',
  batch: '[^/]+',
};

/** An endpoint, and the decoded parts of the request's path for the names in braces in the endpoint's path. */
interface Match<C> {
  endpoint: Endpoint<C>;
  names: readonly string[];
}

/**
 * The endpoint of a request. HEAD has the endpoint of GET. An unknown path or a wrong method has an endpoint that
 * answers 404 or 405, so that watching pages see such requests, too.
 *
 * @param path - below the base URL's parent: `v1/models`
 */
export function matchEndpoint<C>(
  endpoints: readonly Endpoint<C>[],
  method: string,
  path: string,
): Match<C> {
  if (method === 'OPTIONS') return always('OPTIONS', () => new Response(null, { status: 204 }));
  const known = endpoints.flatMap((endpoint) => {
    const match = pattern(endpoint.path).exec(path);
    return match ? [{ endpoint, names: match.slice(1) }] : [];
  });
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = known.find(({ endpoint }) => endpoint.method === asked);
  if (!found) {
    const methods = known.map(({ endpoint }) => endpoint.method);
    return always('GET', () => {
      throw methods.length > 0
        ? methodNotAllowed(method, methods)
        : unknownPath(method, path, endpoints);
    });
  }
  try {
    return { endpoint: found.endpoint, names: found.names.map(decodeURIComponent) };
  } catch {
    return always('GET', () => {
      throw invalidRequest('The path is not valid percent-encoding.');
    });
  }
}

function always<C>(method: Endpoint<C>['method'], answer: () => Response): Match<C> {
  return { endpoint: { method, path: '', keyless: true, handle: async () => answer() }, names: [] };
}

/** The patterns of the endpoints' paths: each request is held against all of them. */
const patterns = new Map<string, RegExp>();

function pattern(path: string): RegExp {
  const known = patterns.get(path);
  if (known) return known;
  let parts = path;
  for (const [name, each] of Object.entries(PATTERNS)) {
    parts = parts.replace(`{${name}}`, `(${each})`);
  }
  const compiled = new RegExp(`^v1/${parts}/?$`);
  patterns.set(path, compiled);
  return compiled;
}

function unknownPath(
  method: string,
  path: string,
  endpoints: readonly Endpoint<never>[],
): ApiError {
  const paths = [...new Set(endpoints.map((each) => `/v1/${each.path}`))].join(', ');
  return refusal(404, `Invalid URL (${method} /${shortened(path)}). This API has ${paths}.`);
}

/** Shortens a path, because a long one must not hide the paths that the API has. */
function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}

function methodNotAllowed(method: string, allowed: readonly string[]): ApiError {
  const methods = allowed.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
  const message = `The method ${method} is not supported here; use ${allowed.join(' or ')}.`;
  const { data } = refusal(405, message, 'method_not_supported');
  return new ApiError({ ...data, allow: [...methods, 'OPTIONS'].join(', ') });
}
