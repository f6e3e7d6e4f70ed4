import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkSite, createSiteServer } from '../../../src/node/serve/site-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { get } from './support/client.ts';
import { serveForTest } from './support/servers.ts';

const folder = temporaryFolder(afterAll);
const site = join(folder, 'site');
mkdirSync(join(site, 'packs'), { recursive: true });
writeFileSync(join(folder, 'secret.txt'), 'secret');
writeFileSync(join(site, 'index.html'), '<h1>Hi</h1>');
writeFileSync(join(site, 'sw.js'), '//');
writeFileSync(join(site, 'packs/model.wasm'), '0123456789');
writeFileSync(join(site, 'packs/a b.json'), '{}');
writeFileSync(join(site, '.hidden'), 'hidden');

const start = () => serveForTest(createSiteServer(site));

/** The status for exactly this path and these headers: fetch would change both. */
async function rawStatus(origin: string, path: string, headers = {}): Promise<number | undefined> {
  return (await get(origin, { path, headers })).response.statusCode;
}

test.each([
  ['/', 'text/html; charset=utf-8'],
  ['/sw.js', 'text/javascript; charset=utf-8'],
  ['/packs/model.wasm', 'application/wasm'],
  ['/packs/a%20b.json', 'application/json; charset=utf-8'],
])('%s has type %s and is revalidated each time', async (path, type) => {
  const response = await fetch((await start()) + path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('cache-control')).toBe('no-cache');
});

test('pages are cross-origin isolated, and their workers can be', async () => {
  const url = await start();
  for (const path of ['/', '/sw.js']) {
    const { headers } = await fetch(url + path);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-embedder-policy')).toBe('credentialless');
  }
});

test('an unchanged file is not sent again', async () => {
  const url = await start();
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  expect(await rawStatus(url, '/', { 'if-none-match': etag })).toBe(304);
});

test('ranges are served', async () => {
  const url = `${await start()}/packs/model.wasm`;
  const range = async (value: string) => fetch(url, { headers: { range: value } });
  const part = await range('bytes=2-4');
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe('bytes 2-4/10');
  expect(await part.text()).toBe('234');
  expect(await (await range('bytes=-3')).text()).toBe('789');
  expect((await range('bytes=20-')).status).toBe(416);
});

test('HEAD returns only the headers; other methods are refused', async () => {
  const url = `${await start()}/packs/model.wasm`;
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.headers.get('content-length'), await head.text()]).toEqual(['10', '']);
  const post = await fetch(url, { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test('files outside the folder and dot files are not served', async () => {
  const url = await start();
  const paths = ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '//../secret.txt'];
  for (const path of [...paths, '/.hidden', '/none', '/%zz', '/%00']) {
    expect([path, await rawStatus(url, path)]).toEqual([path, expect.toBeOneOf([400, 403, 404])]);
  }
});

test('a folder that is not a built site is refused with the reason', () => {
  expect(checkSite(site)).toBe(site);
  expect(() => checkSite(join(folder, 'none'))).toThrow(`There is no folder ${folder}/none.`);
  expect(() => checkSite(folder)).toThrow('has no index.html');
});

test('a request that is addressed to another host is refused', async () => {
  const url = await start();
  const { port } = new URL(url);
  const others = [
    ...['evil.example', `evil.example:${port}`, 'localhost', '127.0.0.1:1', `:${port}`],
    ...[`localhost.:${port}`, `localhost.evil.example:${port}`, `evil.example@localhost:${port}`],
    ...[`localhost:${port}.evil.example`, `127.0.0.1.nip.io:${port}`, `127.1:${port}`],
    ...[
      `0.0.0.0:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `localhost:0${port}`,
      `2130706433:${port}`,
    ],
    ...[`localhost:${port},evil.example`, `http://localhost:${port}`, `localhost:${port}/`],
  ];
  for (const host of others)
    expect([host, await rawStatus(url, '/', { host })]).toEqual([host, 403]);
  for (const host of [
    `localhost:${port}`,
    `LocalHost:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
  ])
    expect([host, await rawStatus(url, '/', { host })]).toEqual([host, 200]);
  // What the request names beside its host does not count.
  const headers = { host: `evil.example:${port}`, 'x-forwarded-host': `localhost:${port}` };
  expect(await rawStatus(url, `http://localhost:${port}/`, headers)).toBe(403);
});

test('a file that is not there is refused without the path of the folder', async () => {
  const url = await start();
  for (const path of ['/missing', '/packs', '/%00', '/.hidden', '/..%2fsecret.txt']) {
    const response = await fetch(url + path);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.text()).not.toContain(folder);
  }
});
