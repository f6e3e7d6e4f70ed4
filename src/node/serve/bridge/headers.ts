/** Headers that are valid for one hop only, RFC 9110 §7.6.1. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Headers that scripts cannot set: https://fetch.spec.whatwg.org/#forbidden-request-header */
const FORBIDDEN =
  /^(?:accept-charset|accept-encoding|access-control-request-.*|content-length|cookie2?|date|dnt|expect|host|origin|proxy-.*|referer|sec-.*|set-cookie|via)$/;

type Header = [name: string, value: string];

/** Names in lower case, duplicates kept. @param raw - alternating names and values, as in `rawHeaders` */
function pairs(raw: string[]): Header[] {
  return raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), raw[index + 1] ?? ''] satisfies Header] : [],
  );
}

function withoutHops(headers: Header[]): Header[] {
  const named = headers
    .filter(([name]) => name === 'connection')
    .flatMap(([, value]) => value.split(',').map((name) => name.trim().toLowerCase()));
  const dropped = new Set([...HOP_BY_HOP, ...named]);
  return headers.filter(([name]) => !dropped.has(name));
}

/** The headers of an HTTP request that a page's fetch can pass on. */
export function requestHeaders(raw: string[]): Header[] {
  return withoutHops(pairs(raw)).filter(([name]) => !FORBIDDEN.test(name) && name[0] !== ':');
}

/** The headers of a page's answer that belong in an HTTP response, flat as `writeHead` takes them. */
export function responseHeaders(headers: Header[]): string[] {
  return withoutHops(headers).flat();
}
