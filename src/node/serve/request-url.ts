/** The parsed target of an HTTP request; undefined for the forms that only proxies get. */
export function requestUrl(target = '/'): URL | undefined {
  // Put behind a host, not resolved against one: a target may begin with two slashes.
  return target.startsWith('/') ? new URL(`http://localhost${target}`) : undefined;
}
