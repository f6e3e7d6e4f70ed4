import * as v from 'valibot';
import { whileSlow } from '../../core/async/while-slow.ts';
import { serverError } from '../../core/errors/errors.ts';
import { siteFile } from './site-file.ts';

/**
 * Imports a bundle of this site. After a failure it is fetched from the server again.
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
  try {
    return await importAs(exports, script);
  } catch {
    // The browser or the service worker may have kept a damaged copy: only another address is fetched from the server.
    const address = new URL(script);
    address.search += `&${crypto.randomUUID()}`;
    return await importAs(exports, address).catch(async (error: unknown) => {
      // If the file is as the server means it, the error says what is wrong with it.
      await siteFile(address);
      const why = error instanceof Error ? error.message : String(error);
      throw serverError(
        'engine_error',
        `${what} could not be loaded from ${script.href}: ${why} ${hint}`,
      );
    });
  }
}

async function importAs<S extends v.GenericSchema>(
  exports: S,
  script: URL,
): Promise<v.InferOutput<S>> {
  const importing: Promise<unknown> = import(/* @vite-ignore */ script.href);
  // Browsers wait minutes for a server that says nothing.
  return v.parse(exports, await whileSlow(importing, () => siteFile(script)));
}
