import { blockedByPolicy, PAGE_NEEDS } from './content-security.ts';
import { fetchText, typeOf } from './fetched.ts';
import { note, problem, type Finding } from './finding.ts';

/** The result of checking the page itself. */
export interface PageReport {
  findings: Finding[];
  /** The page's `Cross-Origin-Embedder-Policy`; undefined: it has none, or `unsafe-none`. */
  embedder: string | undefined;
}

/**
 * @param page - its URL
 * @param base - folder of `sw.js`
 */
export async function checkPage(page: URL, base: URL): Promise<PageReport> {
  const { path, status, headers, text } = await fetchText(page);
  if (status !== 200) {
    return { findings: [problem(`${path}: the server answers ${status}.`)], embedder: undefined };
  }
  const embedder = headers.get('cross-origin-embedder-policy') ?? 'unsafe-none';
  const findings = [
    ...checkPlace(page, base),
    ...(typeOf(headers) === 'text/html' ? [] : [problem(`${path} is not a page of HTML.`)]),
    ...blockedByPolicy(path, headers, PAGE_NEEDS, { html: text, origin: page.origin }),
    ...checkIsolation(headers, embedder),
  ];
  return { findings, embedder: embedder === 'unsafe-none' ? undefined : embedder };
}

function checkPlace(page: URL, base: URL): Finding[] {
  const { protocol, hostname, pathname } = page;
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\]|.*\.localhost)$/.test(hostname);
  return [
    ...(protocol === 'https:' || isLocal
      ? []
      : [problem(`${page.origin} is not https: browsers allow no service workers there.`)]),
    ...(page.origin === base.origin && pathname.startsWith(base.pathname)
      ? []
      : [problem(`The page is not below ${base.href}, the scope of its service worker.`)]),
  ];
}

function checkIsolation(headers: Headers, embedder: string): Finding[] {
  const isIsolated =
    headers.get('cross-origin-opener-policy') === 'same-origin' && embedder !== 'unsafe-none';
  if (isIsolated) return [];
  return [
    note(
      'The server does not make the page cross-origin isolated. Without start({ isolate: true }), text and speech ' +
        'on the CPU use one thread. The headers Cross-Origin-Opener-Policy: same-origin and ' +
        'Cross-Origin-Embedder-Policy: credentialless change that.',
    ),
  ];
}
