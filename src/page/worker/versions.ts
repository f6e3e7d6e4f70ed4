import { notedVersion, VERSION } from '../../core/version.ts';

/**
 * Warns if a file of the site is of another version than this page library. Only the file that the server sends counts,
 * because an update may be about to replace the running worker.
 *
 * @param running - the version of the worker that runs the file; older workers do not tell theirs
 */
export async function warnOfOtherVersion(file: URL, running?: string | null): Promise<void> {
  if (running === VERSION) return;
  const problem = await otherVersionServed(file);
  if (problem !== undefined) console.warn(`slashv1: ${problem}`);
}

/** The text of a file as the server sends it now; undefined: it cannot be had. */
export async function textServed(url: URL | string): Promise<string | undefined> {
  try {
    return await (await fetch(url, { cache: 'no-store' })).text();
  } catch {
    return undefined;
  }
}

/** A message if the file that the server sends is of another version; undefined: it is of the same, or cannot be had. */
export async function otherVersionServed(file: URL): Promise<string | undefined> {
  const url = new URL(file);
  // The service worker keeps the file without a query.
  url.search = 'version';
  const script = await textServed(url);
  if (script === undefined) return undefined;
  const served = notedVersion(script);
  if (served === VERSION) return undefined;
  const isNewer = served?.localeCompare(VERSION, 'en', { numeric: true }) === 1;
  return (
    `${file.href} is of ${served ?? 'another version'}, the page library of ${VERSION}. ` +
    // The site was updated after this page was loaded, or without its page library.
    (isNewer
      ? 'Reload the page; if that does not help, build'
      : 'Run `npx slashv1 init`, or build') +
    ' the site again.'
  );
}
