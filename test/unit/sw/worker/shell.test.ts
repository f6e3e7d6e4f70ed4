import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Shell, type ShellFile } from '../../../../sw/worker/shell.ts';

const SCOPE = 'https://a/app/';
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

let cache: FakeCache;
let visited: FakeCache;
/** The server's files, by URL. */
let server: Map<string, Response>;
const fetched: string[] = [];
let isOffline: boolean;
/** Work that continues after the answers. */
let background: Promise<unknown>[];

beforeEach(() => {
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
});

afterEach(() => vi.unstubAllGlobals());

function shellOf(...files: ShellFile[]): Shell {
  return new Shell(files, `${SCOPE}sw.js`, SCOPE);
}

function serve(path: string, text: string, headers: Record<string, string> = {}): void {
  server.set(SCOPE + path, new Response(text, { headers }));
}

/** The text of the answer to a request for a path; undefined if it is not the shell's. */
async function answer(shell: Shell, path: string, init: Partial<Request> = {}) {
  // The parts of a request that the shell reads.
  const request = { url: SCOPE + path, method: 'GET', destination: '', ...init } as Request;
  return (await shell.answer(request, (work) => void background.push(work)))?.text();
}

describe('the app shell', () => {
  test('is kept when it is installed, and then needs no network', async () => {
    serve('index.html', 'page');
    serve('app.1a2b.js', 'code');
    const shell = shellOf({ url: 'index.html', revision: 'r1' }, 'app.1a2b.js');
    await shell.install();
    server.clear();
    expect(await answer(shell, 'index.html')).toBe('page');
    expect(await answer(shell, 'app.1a2b.js')).toBe('code');
    expect([...cache.kept.keys()]).toEqual([
      `${SCOPE}index.html?revision=r1`,
      `${SCOPE}app.1a2b.js`,
    ]);
  });

  test.each(['', '#top', '?utm_source=mail', '?fbclid=7', 'index', 'index.html?utm_x=1'])(
    'answers %j with the page',
    async (path) => {
      serve('index.html', 'page');
      const shell = shellOf({ url: 'index.html', revision: 'r1' });
      await shell.install();
      expect(await answer(shell, path)).toBe('page');
    },
  );

  test.each([
    ['other.html', {}],
    ['index.html?x=1', {}],
    ['index.html', { method: 'POST' }],
    ['picture.png', { destination: 'image' as const }],
  ])('does not answer %s %j', async (path, init) => {
    const shell = shellOf({ url: 'index.html', revision: 'r1' });
    expect(await answer(shell, path, init)).toBeUndefined();
  });

  test('is installed without a file that is missing, and says so', async () => {
    serve('index.html', 'page');
    await shellOf('gone.js', 'index.html').install();
    expect([...cache.kept.keys()]).toEqual([`${SCOPE}index.html`]);
    expect(vi.mocked(console.warn).mock.calls.flat()).toEqual([
      expect.stringContaining('gone.js is not kept for offline use. Error'),
    ]);
  });

  test('fetches only what has changed', async () => {
    serve('index.html', 'page');
    serve('style.css', 'style');
    const style = { url: 'style.css', revision: 's1' };
    await shellOf({ url: 'index.html', revision: 'r1' }, style).install();
    fetched.length = 0;
    serve('index.html', 'new page');
    const shell = shellOf({ url: 'index.html', revision: 'r2' }, style);
    await shell.install();
    expect(fetched).toEqual([`${SCOPE}index.html`]);
    expect(await answer(shell, '')).toBe('new page');
  });

  test('keeps the code of older builds for their tabs, until it is tidied', async () => {
    serve('old.js', 'old code');
    await shellOf({ url: 'old.js', revision: 'o1' }).install();
    server.clear();
    const shell = shellOf({ url: 'new.js', revision: 'n1' });
    expect(await answer(shell, 'old.js', { destination: 'script' })).toBe('old code');
    await shell.tidy();
    expect(cache.kept.size).toBe(0);
  });

  test('leaves no code of older builds when a site no longer has a list of files', async () => {
    serve('main.js', 'old code');
    await shellOf({ url: 'main.js', revision: 'o1' }).install();
    const shell = shellOf();
    await shell.tidy();
    serve('main.js', 'new code');
    expect(await answer(shell, 'main.js', { destination: 'script' })).toBe('new code');
  });

  test('leaves the files of a newer build, which may be installing, when an older one tidies', async () => {
    for (const name of ['first.js', 'second.js', 'third.js']) serve(name, name);
    await shellOf({ url: 'first.js', revision: '1' }).install();
    const second = shellOf({ url: 'second.js', revision: '2' });
    await second.install();
    await shellOf({ url: 'third.js', revision: '3' }).install();
    await second.tidy();
    expect([...cache.kept.keys()]).toEqual([
      `${SCOPE}second.js?revision=2`,
      `${SCOPE}third.js?revision=3`,
    ]);
  });

  test('comes from the network if the browser has dropped a file', async () => {
    serve('index.html', 'page');
    const shell = shellOf({ url: 'index.html', revision: 'r1' });
    await shell.install();
    cache.kept.clear();
    expect(await answer(shell, 'index.html')).toBe('page');
  });

  test('comes from the network if the browser cannot read its cache', async () => {
    serve('index.html', 'page');
    const shell = shellOf({ url: 'index.html', revision: 'r1' });
    vi.stubGlobal('caches', { open: () => Promise.reject(new Error('The disk is broken.')) });
    expect(await answer(shell, 'index.html')).toBe('page');
    vi.stubGlobal('caches', { open: () => Promise.resolve({ match: () => Promise.reject() }) });
    expect(await answer(shell, 'index.html')).toBe('page');
    vi.stubGlobal('caches', undefined);
    expect(await answer(shell, 'index.html')).toBe('page');
  });

  test('comes from the network if its cache does not answer', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    serve('index.html', 'page');
    vi.stubGlobal('caches', { open: () => new Promise(() => undefined) });
    const answering = answer(shellOf({ url: 'index.html', revision: 'r1' }), 'index.html');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await answering).toBe('page');
    vi.useRealTimers();
  });

  test('is installed without caches, and all comes from the network', async () => {
    vi.stubGlobal('caches', undefined);
    serve('app.js', 'code');
    const shell = shellOf('app.js');
    await shell.install();
    expect(await answer(shell, 'app.js')).toBe('code');
  });

  test('does not keep the page that a server sends in place of a script', async () => {
    serve('app.1a2b.js', 'a page', HTML);
    serve('style.css', 'a page', HTML);
    serve('index.html', 'page', HTML);
    await shellOf('app.1a2b.js', 'style.css', 'index.html').install();
    expect([...cache.kept.keys()]).toEqual([`${SCOPE}index.html`]);
  });

  test('keeps redirected files as if they were not: navigations need that', async () => {
    const redirected = new Response('page', { headers: { 'content-type': 'text/html' } });
    Object.defineProperty(redirected, 'redirected', { value: true });
    vi.stubGlobal('fetch', () => Promise.resolve(redirected));
    await shellOf('index.html').install();
    const kept = cache.kept.get(`${SCOPE}index.html`);
    expect(kept?.redirected).toBe(false);
    expect(kept?.headers.get('content-type')).toBe('text/html');
    expect(await kept?.text()).toBe('page');
  });
});

const HTML = { 'content-type': 'text/html' };
const SCRIPT = { 'content-type': 'text/javascript; charset=utf-8' };
const PAGE = { destination: 'document', mode: 'navigate' } as const;

describe('what pages load besides', () => {
  test('comes from the network, and without one from the last visit', async () => {
    const shell = shellOf();
    serve('notes', 'page', HTML);
    expect(await answer(shell, 'notes', PAGE)).toBe('page');
    serve('notes', 'new page', HTML);
    expect(await answer(shell, 'notes', PAGE)).toBe('new page');
    await Promise.all(background);
    isOffline = true;
    expect(await answer(shell, 'notes', PAGE)).toBe('new page');
    await expect(answer(shell, 'other', PAGE)).rejects.toThrow('Failed to fetch');
  });

  test('is kept if a page has loaded it before the service worker was there', async () => {
    const shell = shellOf({ url: 'index.html', revision: 'r1' });
    serve('app.js', 'code', SCRIPT);
    serve('photo.png', 'picture', { 'content-type': 'image/png' });
    const names = ['app.js', 'photo.png', 'index.html', 'gone.js'].map((name) => SCOPE + name);
    // The last file belongs to another cache.
    await shell.keepLoaded([...names, 'https://elsewhere/x.js', `${SCOPE}llamacpp.js`]);
    expect([...visited.kept.keys()]).toEqual([`${SCOPE}app.js`]);
    expect(fetched).toEqual(['app.js', 'photo.png', 'gone.js'].map((name) => SCOPE + name));
    isOffline = true;
    expect(await answer(shell, 'app.js', { destination: 'script' })).toBe('code');
  });

  test('is fetched once more only if it is not kept', async () => {
    const shell = shellOf();
    serve('engine.js', 'code', SCRIPT);
    await shell.keepMissing(`${SCOPE}engine.js`);
    expect(fetched).toEqual([`${SCOPE}engine.js`]);
    await shell.keepMissing(`${SCOPE}engine.js`);
    serve('never.js', 'code', { ...SCRIPT, 'cache-control': 'no-store' });
    for (let time = 0; time < 2; time++) await shell.keepMissing(`${SCOPE}never.js`);
    serve('other.js', 'code', SCRIPT);
    await answer(shell, 'other.js', { destination: 'script' });
    // The file is being stored at this moment.
    await shell.keepMissing(`${SCOPE}other.js`);
    expect(fetched).toEqual(['engine.js', 'never.js', 'other.js'].map((name) => SCOPE + name));
  });

  test('is the page of the network, too, when it cannot be kept', async () => {
    serve('notes', 'page', HTML);
    const request = { url: `${SCOPE}notes`, method: 'GET', ...PAGE };
    const refuse = () => {
      throw new DOMException('The event is over.', 'InvalidStateError');
    };
    const response = await shellOf().answer(request as Request, refuse);
    expect(await response?.text()).toBe('page');
  });

  test('is kept as it was visited last, and is looked for when both visits are over', async () => {
    const shell = shellOf();
    const first = Promise.withResolvers<void>();
    const { put } = visited;
    visited.put = async (...given) => {
      visited.put = put;
      await first.promise;
      return put.apply(visited, given);
    };
    serve('engine.js', 'old', SCRIPT);
    await answer(shell, 'engine.js', { destination: 'script' });
    serve('engine.js', 'new', SCRIPT);
    await answer(shell, 'engine.js', { destination: 'script' });
    const asked = shell.keepMissing(`${SCOPE}engine.js`);
    first.resolve();
    await Promise.all([...background, asked]);
    isOffline = true;
    expect(await answer(shell, 'engine.js', { destination: 'script' })).toBe('new');
    expect(fetched).toHaveLength(3);
  });

  test.each([
    ['a page that may not be stored', { ...HTML, 'cache-control': 'private, no-store' }, PAGE],
    ['a download', { 'content-type': 'application/pdf' }, PAGE],
  ])('is not kept: %s', async (_name, headers, request) => {
    serve('x', 'text', headers);
    expect(await answer(shellOf(), 'x', request)).toBe('text');
    await Promise.all(background);
    expect(visited.kept.size).toBe(0);
  });

  test('is left to the browser if it is data or media', async () => {
    for (const destination of ['', 'image', 'video', 'audio'] as const) {
      expect(await answer(shellOf(), 'x', { destination })).toBeUndefined();
    }
  });

  test('is the page of the build where its own code makes the routes', async () => {
    serve('index.html', 'page');
    const shell = shellOf({ url: 'index.html', revision: 'r1' });
    await shell.install();
    isOffline = true;
    expect(await answer(shell, 'notes/7', PAGE)).toBe('page');
    await expect(answer(shell, 'x.js', { destination: 'script' })).rejects.toThrow('Failed');
  });

  test('is tidied up to the files that were loaded last', async () => {
    for (let n = 0; n < 310; n++) await visited.put(`${SCOPE}${n}`, new Response(''));
    await shellOf().tidy();
    expect(visited.kept.size).toBe(300);
    expect(visited.kept.has(`${SCOPE}309`)).toBe(true);
  });
});
