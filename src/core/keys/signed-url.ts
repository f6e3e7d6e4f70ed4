import type { StoredKey } from '../database/database.ts';
import { invalidKey } from '../errors/errors.ts';
import { hex, sha256Hex } from '../text/sha256.ts';

/** How long a signed URL is valid, milliseconds: long enough to listen to a speech. */
const LIFE_MS = 30 * 60_000;

const SIGNATURE = 'signature';

/**
 * A URL that allows one request without an Authorization header. Anyone who has the URL may send just
 * this request, for half an hour, while the key is valid.
 *
 * @param url - has the request in its query
 * @param key - the API key that signs; the URL does not reveal it
 */
export async function signUrl(url: URL, key: string, now = Date.now()): Promise<URL> {
  const signed = new URL(url);
  signed.searchParams.set('key', await sha256Hex(key));
  signed.searchParams.set('expires', String(Math.ceil((now + LIFE_MS) / 1000)));
  signed.searchParams.set(SIGNATURE, await signature(signed, await urlSecret(key)));
  return signed;
}

/**
 * The key that a URL was signed with.
 *
 * @param find - the stored key of an id
 * @throws ApiError 401 if the URL is not signed, was changed, or has expired
 */
export async function checkSignedUrl(
  url: URL,
  find: (id: string) => Promise<StoredKey | undefined>,
  now = Date.now(),
): Promise<StoredKey> {
  const query = url.searchParams;
  const key = await find(query.get('key') ?? '');
  if (key?.urlSecret === undefined) throw invalidKey('This URL has no valid key. Make a new one.');
  const given = query.get(SIGNATURE) ?? '';
  if (!isEqual(given, await signature(url, key.urlSecret))) {
    throw invalidKey('The signature does not match this URL.');
  }
  // Without `expires` this is 0, and so in the past.
  if (Number(query.get('expires')) * 1000 > now) return key;
  throw invalidKey('This URL has expired. Make a new one.');
}

/** The secret that a key signs with, hex. It is stored beside the key's hash and reveals no more. */
export function urlSecret(key: string): Promise<string> {
  return sha256Hex(`slashv1 signed URL ${key}`);
}

/** Signs the path and the query, except the signature itself. */
async function signature(url: URL, secret: string): Promise<string> {
  const query = new URLSearchParams(url.search);
  query.delete(SIGNATURE);
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, [
    'sign',
  ]);
  return hex(await crypto.subtle.sign('HMAC', key, encoder.encode(`${url.pathname}?${query}`)));
}

/** Compares in constant time, so that timing does not reveal where the texts differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < b.length; index++) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}
