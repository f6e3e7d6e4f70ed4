import { ApiError, invalidRequest } from '../../src/core/protocol/errors.ts';

export interface Route<C> {
  method: 'GET' | 'POST';
  /** Path below `v1/`; one that ends in "/" takes anything that follows. */
  path: string;
  /** Its URL is signed, because its clients cannot send an Authorization header. */
  signed?: true;
  handle(context: C): Promise<Response>;
}

/**
 * The route of a request, and the decoded rest of its path. HEAD goes where GET goes.
 *
 * @param path - below the base URL's parent: `v1/models`
 * @throws ApiError 404 for an unknown path, 405 for a wrong method
 */
export function matchRoute<C>(
  routes: readonly Route<C>[],
  method: string,
  path: string,
): { route: Route<C>; rest: string } {
  const [, below = ''] = /^v1\/(.*?)\/?$/.exec(path) ?? [];
  const known = routes.filter((route) =>
    route.path.endsWith('/') ? below.startsWith(route.path) : below === route.path,
  );
  if (known.length === 0) throw unknownPath(method, path);
  const route = known.find((each) => each.method === (method === 'HEAD' ? 'GET' : method));
  if (!route) throw methodNotAllowed(method, known);
  return { route, rest: decodePath(below.slice(route.path.length)) };
}

function decodePath(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw invalidRequest('The path is not valid percent-encoding.');
  }
}

function unknownPath(method: string, path: string): ApiError {
  return new ApiError({
    status: 404,
    type: 'invalid_request_error',
    code: null,
    param: null,
    message: `Invalid URL (${method} /${path})`,
  });
}

function methodNotAllowed(
  method: string,
  routes: readonly Pick<Route<never>, 'method'>[],
): ApiError {
  const allowed = routes.map((route) => route.method);
  const methods = allowed.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
  return new ApiError({
    status: 405,
    type: 'invalid_request_error',
    code: 'method_not_supported',
    param: null,
    message: `The method ${method} is not supported here; use ${allowed.join(' or ')}.`,
    allow: [...methods, 'OPTIONS'].join(', '),
  });
}
