import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serveFromAfar, type DistantServer } from '../../../bench/distant-server.ts';
import { listen, type Listening } from '../../../src/node/serve/listen.ts';

const BODY = Buffer.alloc(600_000, 'x');

let near: Listening;
let far: DistantServer;

beforeEach(async () => {
  const server = createServer((request, response) => {
    const { range = 'none' } = request.headers;
    response.writeHead(request.url === '/missing' ? 404 : 200, { 'x-range': range });
    response.end(BODY);
  });
  near = await listen(server, 0, '--port');
  far = await serveFromAfar(near.origin, 3_000_000);
});

afterEach(async () => {
  await far.close();
  await near.close();
});

test('it answers as the other server does, and other origins may read it', async () => {
  const response = await fetch(`${far.origin}/file?a=1`, { headers: { range: 'bytes=5-' } });
  expect(Buffer.from(await response.arrayBuffer()).equals(BODY)).toBe(true);
  expect(response.headers.get('x-range')).toBe('bytes=5-');
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect((await fetch(`${far.origin}/missing`)).status).toBe(404);
  expect(far.paths).toEqual(['/file?a=1', '/missing']);
});

test('all answers share a line', async () => {
  const begun = performance.now();
  const both = ['/a', '/b'].map(async (path) => (await fetch(far.origin + path)).arrayBuffer());
  await Promise.all(both);
  // 1.2 MB at 3 MB/s are 400 ms, of which the line may catch up some.
  expect(performance.now() - begun).toBeGreaterThan(350);
});
