import { ApiError, invalidRequest, refusal } from '../../src/core/errors/errors.ts';

export interface Route<C> {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path below `v1/`. A name in it stands for what PATTERNS says. */
  path: string;
  /** Anyone may ask: it tells nothing of prompts and answers. */
  keyless?: true;
  /** Its URL is signed, because its clients cannot send an Authorization header. */
  signed?: true;
  handle(context: C): Promise<Response>;
  /** Counts the tokens of the prompt of a request to it. */
  count?: (context: C) => Promise<Response>;
}

/** A model's id may have slashes. */
const PATTERNS = { model: '.+?', response: 'resp_[^/]+' };

/**
 * The route of a request, and the decoded part of its path that a name stands for. HEAD goes where GET
 * goes.
 *
 * @param path - below the base URL's parent: `v1/models`
 * @throws ApiError 404 for an unknown path, 405 for a wrong method
 */
export function matchRoute<C>(
  routes: readonly Route<C>[],
  method: string,
  path: string,
): { route: Route<C>; rest: string } {
  const known = routes.flatMap((route) => {
    const match = pattern(route.path).exec(path);
    return match ? [{ route, rest: match[1] ?? '' }] : [];
  });
  if (known.length === 0) throw unknownPath(method, path, routes);
  const asked = method === 'HEAD' ? 'GET' : method;
  const found = known.find(({ route }) => route.method === asked);
  if (!found) {
    const methods = known.map(({ route }) => route.method);
    throw methodNotAllowed(method, methods);
  }
  return { route: found.route, rest: decodePath(found.rest) };
}

function pattern(path: string): RegExp {
  let parts = path;
  for (const [name, each] of Object.entries(PATTERNS)) {
    parts = parts.replace(`{${name}}`, `(${each})`);
  }
  return new RegExp(`^v1/${parts}/?$`);
}

function decodePath(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw invalidRequest('The path is not valid percent-encoding.');
  }
}

function unknownPath(method: string, path: string, routes: readonly Route<never>[]): ApiError {
  const paths = [...new Set(routes.map((route) => `/v1/${route.path}`))].join(', ');
  return refusal(404, `Invalid URL (${method} /${shortened(path)}). This API has ${paths}.`);
}

/** A path of any length must not hide what the API has. */
function shortened(path: string): string {
  return path.length > 100 ? `${path.slice(0, 100)}…` : path;
}

function methodNotAllowed(method: string, allowed: readonly string[]): ApiError {
  const methods = allowed.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
  const message = `The method ${method} is not supported here; use ${allowed.join(' or ')}.`;
  const { data } = refusal(405, message, 'method_not_supported');
  return new ApiError({ ...data, allow: [...methods, 'OPTIONS'].join(', ') });
}
