import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  answer,
  background,
  fetched,
  freshSite,
  goOffline,
  SCOPE,
  HTML,
  serve,
  shellOf,
  visited,
} from './shell-site.ts';

beforeEach(freshSite);
afterEach(() => vi.unstubAllGlobals());

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
    goOffline();
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
    goOffline();
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
    goOffline();
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
    goOffline();
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
