const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** The URL if it is absolute and its scheme is harmless, else null. Answers may link to nothing else. */
export function safeLink(href: string): string | null {
  try {
    const url = new URL(href);
    return SCHEMES.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
