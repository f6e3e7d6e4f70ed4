/** The received part of a file. */
export interface Received {
  bytes: number;
  /** The server's name for the file's version at that time. */
  validator?: string | undefined;
}

/** An ETag or a modification date; undefined if the server sends neither, or another origin hides them. */
export function validatorOf(response: Response): string | undefined {
  return response.headers.get('etag') ?? response.headers.get('last-modified') ?? undefined;
}

/**
 * Headers that request the rest of a file. With `If-Range` the server sends the whole file if it has
 * changed. To another origin that header would need a preflight, which few servers allow; there the
 * validator of the response shows whether the file has changed.
 */
export function rangeHeaders(url: string, { bytes, validator }: Received): Record<string, string> {
  if (bytes === 0) return {};
  const range = { range: `bytes=${bytes}-` };
  // A weak ETag does not stand for the bytes, and servers must not match it here.
  if (validator === undefined || validator.startsWith('W/') || !isSameOrigin(url)) return range;
  return { ...range, 'if-range': validator };
}

/**
 * Whether a 206 response begins where the received part ends, in the same version of the file.
 *
 * @param size - of the whole file, bytes; 0 if it is unknown
 */
export function continues(response: Response, received: Received, size: number): boolean {
  const validator = validatorOf(response) ?? received.validator;
  if (received.validator !== undefined && validator !== received.validator) return false;
  const range = response.headers.get('content-range') ?? '';
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? [];
  // A server of another origin may hide this header; then the file's hash decides.
  if (start === undefined) return true;
  return (
    Number(start) === received.bytes && (size === 0 || total === '*' || Number(total) === size)
  );
}

function isSameOrigin(url: string): boolean {
  // Node has no `location`; the tests run there.
  const { location } = globalThis as Partial<Pick<typeof globalThis, 'location'>>;
  return new URL(url).origin === location?.origin;
}
