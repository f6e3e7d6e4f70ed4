import type { StoredKey } from './database.ts';
import { invalidKey } from '../protocol/errors.ts';
import { hex, sha256Hex } from './hash.ts';

/** How long a signed URL can be used, milliseconds: for as long as one listens to what it is for. */
const LIFE_MS = 30 * 60_000;

const SIGNATURE = 'signature';

/**
 * A URL that is good for one request and needs no Authorization header: who has it may send just this
 * request, for half an hour, as long as the key is valid.
 *
 * @param url - with the request in its query
 * @param key - the API key that it stands for, which it does not reveal
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
 * @throws ApiError 401 where it was not, is not what was signed, or is too old
 */
export async function checkSignedUrl(
  url: URL,
  find: (id: string) => Promise<StoredKey | undefined>,
  now = Date.now(),
): Promise<StoredKey> {
  const query = url.searchParams;
  const key = await find(query.get('key') ?? '');
  if (key?.urlSecret === undefined) throw invalidKey('This URL has no valid key: make a new one.');
  const given = query.get(SIGNATURE) ?? '';
  if (!isEqual(given, await signature(url, key.urlSecret))) {
    throw invalidKey('This URL is not what was signed.');
  }
  // Number of nothing is 0: long ago.
  if (Number(query.get('expires')) * 1000 > now) return key;
  throw invalidKey('This URL has expired: make a new one.');
}

/** Hex; what a key signs with. It is stored beside the key's hash, and tells as little of the key. */
export function urlSecret(key: string): Promise<string> {
  return sha256Hex(`slashv1 signed URL ${key}`);
}

/** Of the path and everything in the query but the signature itself. */
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

/** In a time that does not tell where they differ. */
function isEqual(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < b.length; index++) {
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  }
  return difference === 0;
}
