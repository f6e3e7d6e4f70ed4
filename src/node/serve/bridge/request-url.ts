/** The parsed target of an HTTP request. Undefined for the forms that only proxies receive. */
export function requestUrl(target = '/'): URL | undefined {
  // Appended to a host and not resolved against it, because a target may begin with two slashes.
  return target.startsWith('/') ? new URL(`http://localhost${target}`) : undefined;
}
