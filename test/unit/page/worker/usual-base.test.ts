import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { usualBase } from '../../../../src/page/worker/usual-base.ts';
import { FakeContainer } from '../../support/fakes/fake-service-worker.ts';
import { stubWindow } from '../../support/fakes/fake-window.ts';

/** Addresses that the page has asked for. */
let asked: string[];

beforeEach(() => {
  asked = [];
  vi.stubGlobal('navigator', {
    serviceWorker: Object.assign(new FakeContainer(), { getRegistration: async () => undefined }),
  });
});

afterEach(() => vi.unstubAllGlobals());

/** The base of a page at an address of a site with these files; all others are answered with a page. */
async function baseAt(address: string, files: string[]): Promise<string> {
  stubWindow(address);
  vi.stubGlobal('fetch', async (url: URL, { method }: RequestInit) => {
    asked.push(`${method} ${url.pathname}`);
    const type = files.includes(url.pathname) ? 'text/javascript; charset=utf-8' : 'text/html';
    return new Response(null, { headers: { 'content-type': type } });
  });
  return usualBase();
}

test.each([
  ['http://site/repo/', ['/repo/engine.js'], 'http://site/repo/', 1],
  ['http://site/repo/a/b/c', ['/repo/engine.js', '/engine.js'], 'http://site/repo/', 3],
  ['http://site/a/b', ['/engine.js'], 'http://site/', 2],
  ['http://site/index.html', ['/engine.js'], 'http://site/', 1],
  ['http://site/repo?q#h', ['/repo/engine.js'], 'http://site/repo/', 2],
  ['http://site/a/b/', [], 'http://site/a/b/', 4],
  ['http://site/', ['/engine.js'], 'http://site/', 0],
])('the page %s of a site with %j has the base %s', async (address, files, base, requests) => {
  expect(await baseAt(address, files)).toBe(base);
  expect(asked).toHaveLength(requests);
  expect(asked.filter((request) => !/^HEAD .*\/engine\.js$/.test(request))).toEqual([]);
});

test('a server that cannot be reached leaves the folder of the page', async () => {
  stubWindow('http://site/a/b');
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await usualBase()).toBe('http://site/a/');
});

test('a folder is found although the connection breaks once', async () => {
  const answers = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    async () => new Response(null, { headers: { 'content-type': 'text/javascript' } }),
  ];
  stubWindow('http://site/a/b/c');
  vi.stubGlobal('fetch', () => answers.shift()?.());
  expect(await usualBase()).toBe('http://site/a/b/');
  expect(answers).toEqual([]);
});
