import { foldersFrom } from '../../core/site/folders.ts';
import { fetchFile, isMissing, type Fetched } from './fetched.ts';

/**
 * The folder of slashv1's files, as `start()` finds it: the nearest one with `engine.js`, from the page's own upwards. An
 * address without a slash at its end may also be that of the folder itself.
 *
 * @returns the page's own folder if no folder has the file
 */
export async function findBase({ url, text }: Fetched): Promise<URL> {
  const own = new URL('.', baseElement(text, url));
  const address = new URL(`${url.pathname.replace(/\/$/, '')}/`, url).href;
  for (const folder of [...foldersFrom(own.href), address]) {
    if (!isMissing(await fetchFile(new URL('engine.js', folder)))) return new URL(folder);
  }
  return own;
}

/** The page's address, or what its element `<base>` says. */
function baseElement(html: string, url: URL): URL {
  const [, quoted, plain] =
    /<base\b[^>]*\bhref\s*=\s*(?:["']([^"']*)["']|([^\s>]+))/i.exec(html) ?? [];
  const href = quoted ?? plain ?? '.';
  return URL.canParse(href, url) ? new URL(href, url) : url;
}
