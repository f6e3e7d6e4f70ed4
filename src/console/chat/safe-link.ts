const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** The address where it is absolute and of a harmless scheme, else null: answers may link to nothing else. */
export function safeLink(href: string): string | null {
  try {
    const url = new URL(href);
    return SCHEMES.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
