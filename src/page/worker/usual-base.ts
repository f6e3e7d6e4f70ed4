import { SILENT_SERVER_MS } from '../../core/site/fetch-served.ts';
import { foldersFrom } from '../../core/site/folders.ts';
import { reachedWorker, registrationOf } from './register.ts';

/**
 * The default folder of slashv1's files: where other pages of the site have registered the service worker that controls
 * this page; otherwise the nearest folder that has `engine.js`, from the page's own upwards; otherwise the page's own.
 */
export async function usualBase(): Promise<string> {
  const here = new URL('.', document.baseURI).href;
  const scope = (await registrationOf(here))?.scope;
  if (scope === here || (scope !== undefined && (await reachedWorker(scope)))) return scope;
  const [address = ''] = document.URL.split(/[?#]/);
  const folders = foldersFrom(here);
  // The page of the top folder asks for nothing.
  if (address === folders.at(-1)) return here;
  // If the address lacks its last slash, the folder is below it. start() then fails, and says so.
  for (const folder of [...folders, `${address}/`]) if (await hasEngine(folder)) return folder;
  return here;
}

/**
 * Servers of single-page apps answer with a page where there is no file.
 *
 * @param isLast - false: if the connection breaks, the server is asked once more
 */
async function hasEngine(folder: string, isLast = false): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(SILENT_SERVER_MS);
    const { ok, headers } = await fetch(new URL('engine.js', folder), { method: 'HEAD', signal });
    return ok && /javascript/.test(headers.get('content-type') ?? '');
  } catch (error) {
    return error instanceof TypeError && !isLast && hasEngine(folder, true);
  }
}
