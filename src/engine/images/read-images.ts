import { readAll } from '../../core/async/read-all.ts';
import {
  type ApiError,
  invalidImage,
  invalidRequest,
  MAX_BODY_BYTES,
} from '../../core/errors/errors.ts';
import type { PromptImage, RequestedImage } from '../../core/operations/jobs/jobs.ts';
import { messageOf } from '../../core/text/message-of.ts';

const MAX_IMAGES = 64;
/** Bytes of all images of a request together, sent or fetched. */
const MAX_BYTES = MAX_BODY_BYTES;
/** Time limit for fetching all images of a request, milliseconds. */
const FETCH_MS = 30_000;
/** Most characters of an image's address. */
const MAX_URL = 2_048;

/** Schemes have no case, and spaces before a URL do not belong to it. */
const DATA_URL = /^\s*data:/i;

/** The four kinds of files in base64, without the rest of a data: URL. */
const BARE_BASE64 = /^(?:iVBORw0|\/9j\/|R0lGOD|UklGR)/;

/**
 * The files of a request's images, in order.
 *
 * @param site - URL of the folder that `v1` is in
 * @throws ApiError 400 image_url_not_allowed for images of other sites, 400 invalid_image for images that
 *   cannot be read, and for too many or too large images
 */
export async function readImages(
  images: readonly RequestedImage[],
  site: string,
  signal: AbortSignal,
): Promise<PromptImage[]> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]);
  const read: PromptImage[] = [];
  let left = MAX_BYTES;
  for (const { url, file: sent, field, detail } of images) {
    if (read.length === MAX_IMAGES) {
      throw invalidImage(field, `is one image too many: a request may have ${MAX_IMAGES}.`);
    }
    const file =
      sent ??
      (DATA_URL.test(url)
        ? embeddedFile(url, field)
        : await fetchedFile(addressOn(site, url, field), { field, limit: left, signal: inTime }));
    signal.throwIfAborted();
    if (!file || file.length > left) {
      throw invalidImage(field, `is too large: all images may have ${MAX_BYTES} bytes.`);
    }
    left -= file.length;
    read.push({ file, field, detail });
  }
  return read;
}

function embeddedFile(url: string, field: string): Uint8Array {
  const comma = url.indexOf(',');
  if (!/;\s*base64$/i.test(url.slice(0, Math.max(0, comma)))) {
    throw invalidImage(field, "must hold base64: 'data:image/png;base64,' and the bytes.");
  }
  try {
    return bytesOf(percentDecoded(url.slice(comma + 1)));
  } catch {
    throw invalidImage(field, 'is not valid base64.');
  }
}

/** Some clients encode what has a meaning elsewhere in URLs: `+`, `/` and `=`. @throws URIError */
function percentDecoded(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}

/** @throws Error if it is not base64 */
function bytesOf(base64: string): Uint8Array {
  const decoder: object = Uint8Array;
  // Browsers since 2025 have this function, which takes a fifth of the time.
  if (hasBase64(decoder)) return decoder.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function hasBase64(bytes: object): bytes is { fromBase64(text: string): Uint8Array } {
  return 'fromBase64' in bytes;
}

/** @throws ApiError 400 if nothing may be fetched from there */
function addressOn(site: string, url: string, field: string): string {
  // Without this check, base64 would be sent to the site's server as an address.
  if (BARE_BASE64.test(url) || url.length > MAX_URL) {
    throw invalidImage(
      field,
      "is no address; 'data:image/png;base64,' goes before an image's bytes.",
    );
  }
  if (!URL.canParse(url, site)) throw notAllowed(field);
  const { href, pathname } = new URL(url, site);
  // blob: URLs and URLs with a password have the site's origin, too, so the whole address is compared.
  const isOfSite = href.startsWith(new URL('/', site).href);
  const isOfApi = `${pathname}/`.startsWith(new URL('v1/', site).pathname);
  if (!isOfSite || isOfApi) throw notAllowed(field);
  return href;
}

function notAllowed(field: string): ApiError {
  const message = `'${field}' must be a data: URL or an image of this site: nothing else is fetched.`;
  return invalidRequest(message, field, 'image_url_not_allowed');
}

/** @returns undefined if it has more bytes than the limit */
async function fetchedFile(
  address: string,
  { field, limit, signal }: { field: string; limit: number; signal: AbortSignal },
): Promise<Uint8Array | undefined> {
  try {
    // No cookies: a client that may use a model must not see what only the visitor may see.
    const init = { redirect: 'error', credentials: 'omit', signal } as const;
    const { ok, status, body } = await fetch(address, init);
    if (ok && body) return await readAll(body, limit);
    throw new Error(`status ${status}`);
  } catch (error) {
    const why = messageOf(error);
    throw invalidImage(field, `could not be fetched: ${why}.`);
  }
}
