import { whileSlow } from '../async/while-slow.ts';
import { fetchServed, SilentServer } from './fetch-served.ts';

/**
 * Imports a script of this site, and fetches it from the server again if that fails: the browser or the service worker may
 * have kept a damaged copy, and both ask the server only for another address.
 *
 * @param check - throws unless the module is the expected one
 * @throws SilentServer, or any other error of the browser
 */
export async function importScript<T>(script: URL, check: (module: unknown) => T): Promise<T> {
  try {
    return check(await importFrom(script));
  } catch (error) {
    // The server would be silent for the other address, too.
    if (error instanceof SilentServer) throw error;
    return check(await importFrom(freshAddress(script)));
  }
}

/** An address of the script that nobody has kept a copy for. */
export function freshAddress(script: URL): URL {
  const fresh = new URL(script);
  fresh.search += `&${crypto.randomUUID()}`;
  return fresh;
}

/** The address that `freshAddress` was given; any other one as it is. */
export function plainAddress(url: string): string {
  return url.replace(/\??&[\da-f-]{36}$/, '');
}

function importFrom(script: URL): Promise<unknown> {
  // Browsers wait minutes for a server that says nothing.
  return whileSlow<unknown>(
    import(/* webpackIgnore: true */ /* @vite-ignore */ script.href),
    async () => {
      const { isSecond } = await fetchServed(script);
      if (isSecond) throw new Error('The server answers only other requests of the script.');
    },
  );
}
