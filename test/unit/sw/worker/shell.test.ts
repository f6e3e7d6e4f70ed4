import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  answer,
  cache,
  fetched,
  freshSite,
  HTML,
  SCOPE,
  serve,
  server,
  shellOf,
} from './shell-site.ts';

beforeEach(freshSite);
afterEach(() => vi.unstubAllGlobals());

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
