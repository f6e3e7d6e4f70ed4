import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveFromAfar, type DistantServer } from '../../../bench/distant-server.ts';
import { makeTempFolder, removeTempFolder } from '../../browser/support/temp-folder.ts';

const BODY = Buffer.from(Array.from({ length: 600_000 }, (_, index) => (index * 7) % 251));

let folder: string;
let far: DistantServer;

beforeEach(async () => {
  folder = makeTempFolder('site');
  for (const name of ['a.bin', 'b.bin']) writeFileSync(join(folder, name), BODY);
  far = await serveFromAfar(folder, 3_000_000);
});

afterEach(async () => {
  await far.close();
  removeTempFolder(folder);
});

test('it answers as the site’s server does, and other origins may read it', async () => {
  const response = await fetch(`${far.origin}/a.bin?a=1`);
  expect(Buffer.from(await response.arrayBuffer()).equals(BODY)).toBe(true);
  expect(response.headers.get('content-length')).toBe(String(BODY.length));
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  const part = await fetch(`${far.origin}/a.bin`, { headers: { range: 'bytes=5-' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(BODY.subarray(5))).toBe(true);
  expect((await fetch(`${far.origin}/missing`)).status).toBe(404);
  expect(await far.paths()).toEqual(['/a.bin?a=1', '/a.bin', '/missing']);
});

test('large files are sent whole, too', async () => {
  const large = Buffer.concat([BODY, BODY, BODY]);
  const site = makeTempFolder('large');
  writeFileSync(join(site, 'c.bin'), large);
  const server = await serveFromAfar(site, 100e6);
  const whole = await fetch(`${server.origin}/c.bin?a=1`);
  expect(Buffer.from(await whole.arrayBuffer()).equals(large)).toBe(true);
  expect(whole.headers.get('content-length')).toBe(String(large.length));
  const part = await fetch(`${server.origin}/c.bin`, { headers: { range: 'bytes=7-' } });
  expect(Buffer.from(await part.arrayBuffer()).equals(large.subarray(7))).toBe(true);
  await server.close();
  removeTempFolder(site);
});

test('all answers share a line', async () => {
  const begun = performance.now();
  const both = ['/a.bin', '/b.bin'].map(async (path) =>
    (await fetch(far.origin + path)).arrayBuffer(),
  );
  await Promise.all(both);
  // 1.2 MB at 3 MB/s are 400 ms, of which the line may catch up some.
  expect(performance.now() - begun).toBeGreaterThan(350);
});
