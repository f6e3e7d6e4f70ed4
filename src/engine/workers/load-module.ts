import * as v from 'valibot';
import { serverError } from '../../core/errors/errors.ts';
import { SilentServer } from '../../core/site/fetch-served.ts';
import { freshAddress, importScript } from '../../core/site/import-script.ts';
import { notFetched, siteFile } from './site-file.ts';
import { messageOf } from '../../core/text/message-of.ts';

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
    return await importScript(script, (module) => v.parse(exports, module));
  } catch (error) {
    if (error instanceof SilentServer) throw notFetched(script);
    // If the file is as the server means it, the error says what is wrong with it.
    await siteFile(freshAddress(script));
    const why = messageOf(error);
    throw serverError(
      'site_file_broken',
      `${what} could not be loaded from ${script.href}: ${why} ${hint}`,
    );
  }
}
