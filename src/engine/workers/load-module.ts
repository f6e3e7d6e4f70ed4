import * as v from 'valibot';
import { serverError } from '../../core/errors/errors.ts';
import { siteFile } from './site-file.ts';

/** How often each script has been imported. */
const attempts = new Map<string, number>();

/**
 * Imports a bundle of this site. After a failure it can be tried again.
 *
 * @param what - for the error
 * @param exports - what the bundle must export
 * @param hint - what to do if the site lacks the file
 * @throws ApiError 500 if it cannot be loaded, or lacks these exports
 */
export async function loadModule<S extends v.GenericSchema>(
  what: string,
  script: URL,
  exports: S,
  hint: string,
): Promise<v.InferOutput<S>> {
  const attempt = attempts.get(script.href) ?? 0;
  attempts.set(script.href, attempt + 1);
  const address = new URL(script);
  // After a failed import, browsers fetch the script again only if its address differs. A query makes the service worker
  // ask the server again, too.
  if (attempt > 0) address.search += `&${attempt}`;
  try {
    return v.parse(exports, await import(/* @vite-ignore */ address.href));
  } catch (error) {
    // If the file is as the server means it, the error says what is wrong with it.
    await siteFile(address);
    const why = error instanceof Error ? error.message : String(error);
    throw serverError(
      'engine_error',
      `${what} could not be loaded from ${script.href}: ${why} ${hint}`,
    );
  }
}
