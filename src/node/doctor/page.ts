import { blockedByPolicy, PAGE_NEEDS } from './content-security.ts';
import { typeOf, type Fetched } from './fetched.ts';
import { note, problem, type Finding } from './finding.ts';

/** The result of checking the page itself. */
export interface PageReport {
  findings: Finding[];
  /** The page's `Cross-Origin-Embedder-Policy`; undefined: it has none, or `unsafe-none`. */
  embedder: string | undefined;
}

/**
 * @param page - as the server has sent it
 * @param base - folder of the files
 */
export function checkPage(page: Fetched, base: URL): PageReport {
  const { path, url, status, headers, text } = page;
  if (status !== 200) {
    return { findings: [problem(`${path}: the server answers ${status}.`)], embedder: undefined };
  }
  const embedder = headers.get('cross-origin-embedder-policy') ?? 'unsafe-none';
  const findings = [
    ...checkPlace(url, base),
    ...(typeOf(headers) === 'text/html' ? [] : [problem(`${path} is not a page of HTML.`)]),
    ...blockedByPolicy(path, headers, PAGE_NEEDS, { html: text, origin: url.origin }),
    ...checkClearing(path, headers),
    ...checkIsolation(headers, embedder),
  ];
  return { findings, embedder: embedder === 'unsafe-none' ? undefined : embedder };
}

function checkPlace(page: URL, base: URL): Finding[] {
  const { protocol, hostname } = page;
  const isLocal = /^(localhost|127\.[\d.]+|\[::1\]|.*\.localhost)$/.test(hostname);
  const insecure = `${page.origin} is not https: browsers allow no service workers there.`;
  return [
    ...(protocol === 'https:' || isLocal ? [] : [problem(insecure)]),
    ...checkScope(page, base),
  ];
}

function checkScope({ origin, pathname }: URL, base: URL): Finding[] {
  if (origin === base.origin && pathname.startsWith(base.pathname)) return [];
  if (`${origin}${pathname}/` !== base.href) {
    return [problem(`The page is not below ${base.href}, the scope of its service worker.`)];
  }
  const slash = `${pathname} lacks the slash at its end: it is not below ${base.pathname}`;
  return [
    problem(
      `${slash}, the scope of its service worker. Redirect it there, in Next with trailingSlash: true.`,
    ),
  ];
}

function checkClearing(path: string, headers: Headers): Finding[] {
  const cleared = headers.get('clear-site-data') ?? '';
  if (!/"(?:storage|\*)"/.test(cleared)) return [];
  return [problem(`${path}: Clear-Site-Data deletes the models and the service worker.`)];
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
