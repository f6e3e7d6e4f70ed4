/** What helps if a site lacks a file of slashv1, or has a damaged one. */
export const INIT_AGAIN = 'Run `npx slashv1 init` with the folder that is served there.';

/** What is said of a file that no response came for. */
export const NOT_FETCHED = 'cannot be fetched: the network or the server fails.';

/** Whether the response is a page of HTML: some servers answer with one for a missing file. */
export function isPage({ headers }: Pick<Response, 'headers'>): boolean {
  return /^text\/html/i.test(headers.get('content-type') ?? '');
}

/**
 * Why a response is not the file that was asked for; undefined: it may be the file.
 *
 * @param help - what to do about a missing file
 */
export function notServed(
  response: Pick<Response, 'status' | 'headers'>,
  help = INIT_AGAIN,
): string | undefined {
  const { status } = response;
  if (status === 404 || status === 410) return `is missing. ${help}`.trimEnd();
  if (status !== 200) return `cannot be had: its server answers ${status}.`;
  if (isPage(response))
    return `is missing: the server sends a page in its place. ${help}`.trimEnd();
  return undefined;
}
