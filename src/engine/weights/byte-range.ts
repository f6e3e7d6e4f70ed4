/** What has come of a file so far. */
export interface Received {
  bytes: number;
  /** What the server said of the file's version then. */
  validator?: string | undefined;
}

/** An ETag or the date of the last change; undefined where the server says neither, or not to us. */
export function validatorOf(response: Response): string | undefined {
  return response.headers.get('etag') ?? response.headers.get('last-modified') ?? undefined;
}

/**
 * Headers that ask for the rest of a file. `If-Range` makes the server send all of a file that has
 * changed, but to another origin it would cost a preflight that few servers allow: there the answer's
 * own validator has to tell.
 */
export function rangeHeaders(url: string, { bytes, validator }: Received): Record<string, string> {
  if (bytes === 0) return {};
  const range = { range: `bytes=${bytes}-` };
  // A weak ETag says nothing about bytes, and no server may match it here.
  if (validator === undefined || validator.startsWith('W/') || !isSameOrigin(url)) return range;
  return { ...range, 'if-range': validator };
}

/**
 * Whether a 206 answer goes on where the part that is here ends, in the same version of the file.
 *
 * @param size - of the whole file, bytes; 0 where nobody knows it
 */
export function continues(response: Response, received: Received, size: number): boolean {
  const validator = validatorOf(response) ?? received.validator;
  if (received.validator !== undefined && validator !== received.validator) return false;
  const range = response.headers.get('content-range') ?? '';
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(range) ?? [];
  // Another origin may keep this header from us; then the file's hash is what tells.
  if (start === undefined) return true;
  return (
    Number(start) === received.bytes && (size === 0 || total === '*' || Number(total) === size)
  );
}

function isSameOrigin(url: string): boolean {
  // Node, where the tests run, has no location.
  const { location } = globalThis as Partial<Pick<typeof globalThis, 'location'>>;
  return new URL(url).origin === location?.origin;
}
