import { vi } from 'vitest';
import { Shell, type ShellFile } from '../../../../sw/worker/shell.ts';

export const SCOPE = 'https://a/app/';
export const HTML = { 'content-type': 'text/html' };
const CACHE = `slashv1-shell:${SCOPE}`;
const VISITED = `slashv1-visited:${SCOPE}`;

/** Stands in for the browser's cache; keys are URLs. */
class FakeCache {
  readonly kept = new Map<string, Response>();

  match(
    key: string,
    { ignoreSearch = false }: CacheQueryOptions = {},
  ): Promise<Response | undefined> {
    const same = [...this.kept.keys()].find((each) =>
      ignoreSearch ? each.split('?')[0] === key : each === key,
    );
    return Promise.resolve(same === undefined ? undefined : this.kept.get(same)?.clone());
  }

  put(key: string, response: Response): Promise<void> {
    this.kept.set(key, response);
    return Promise.resolve();
  }

  keys(): Promise<{ url: string }[]> {
    return Promise.resolve([...this.kept.keys()].map((url) => ({ url })));
  }

  delete({ url }: { url: string }): Promise<boolean> {
    return Promise.resolve(this.kept.delete(url));
  }
}

export let cache: FakeCache;
export let visited: FakeCache;
/** The server's files, by URL. */
export let server: Map<string, Response>;
export const fetched: string[] = [];
let isOffline: boolean;
/** Work that continues after the answers. */
export let background: Promise<unknown>[];

/** Before each test: no file is kept, and the server has none. */
export function freshSite(): void {
  cache = new FakeCache();
  visited = new FakeCache();
  server = new Map();
  fetched.length = 0;
  isOffline = false;
  background = [];
  const all = new Map([
    [CACHE, cache],
    [VISITED, visited],
  ]);
  const open = (name: string) =>
    Promise.resolve(all.get(name) ?? Promise.reject(new Error(`Another cache: ${name}`)));
  vi.stubGlobal('caches', { open });
  vi.stubGlobal('location', { origin: new URL(SCOPE).origin });
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.stubGlobal('fetch', (input: string | { url: string }) => {
    const url = typeof input === 'string' ? input : input.url;
    fetched.push(url);
    if (isOffline) return Promise.reject(new TypeError('Failed to fetch'));
    return Promise.resolve(server.get(url)?.clone() ?? new Response('', { status: 404 }));
  });
}

/** The network is gone from now on. */
export function goOffline(): void {
  isOffline = true;
}

/** The shell with these files. */
export function shellOf(...files: ShellFile[]): Shell {
  return new Shell(files, `${SCOPE}sw.js`, SCOPE);
}

/** Puts a file on the server. */
export function serve(path: string, text: string, headers: Record<string, string> = {}): void {
  server.set(SCOPE + path, new Response(text, { headers }));
}

/** The text of the answer to a request for a path; undefined if it is not the shell's. */
export async function answer(shell: Shell, path: string, init: Partial<Request> = {}) {
  // The parts of a request that the shell reads.
  const request = { url: SCOPE + path, method: 'GET', destination: '', ...init } as Request;
  return (await shell.answer(request, (work) => void background.push(work)))?.text();
}
