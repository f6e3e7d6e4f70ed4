/** `sk-slashv1-` and 32 random bytes as base64url. */
export const KEY_PATTERN = /^sk-slashv1-[A-Za-z0-9_-]{43}$/;

export function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const base64 = btoa(String.fromCharCode(...bytes));
  return `sk-slashv1-${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}
