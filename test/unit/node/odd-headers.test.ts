import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { createServer } from 'node:http';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { BRIDGE_PROTOCOL } from '../../../src/core/realms/bridge-messages.ts';
import { PageDoor } from '../../../src/node/serve/bridge/page-door.ts';
import { openBridge, openDoor } from './support/bridge.ts';
import { rawAnswer, upgradeRequest } from './support/client.ts';

// Hundreds of connections take long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);

/** Header values that an HTTP parser accepts, and some that it refuses. */
const headerValue = fc.oneof(
  // The length of a token.
  fc.string({ unit: latin1(), minLength: 43, maxLength: 43 }),
  fc.string({ unit: latin1(), maxLength: 60 }),
  fc.constantFrom('', ',', ', ,', '"', '__proto__', '\0', '\r', ';'.repeat(3_000), '127.0.0.1'),
);

function latin1() {
  return fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
}

function fuzz(numRuns: number, check: (value: string, other: string) => Promise<void>) {
  const property = fc.asyncProperty(headerValue, headerValue, check);
  return fc.assert(property, { seed: SEED, numRuns, endOnFailure: true });
}

test('a token of 43 characters outside ASCII is refused, and the right one still works', async () => {
  const { door, origin, connect } = await openDoor();
  const { token } = door.invite();
  const protocols = `${BRIDGE_PROTOCOL}, ${'é'.repeat(43)}`;
  const request = upgradeRequest(origin, { 'sec-websocket-protocol': protocols });
  expect(await rawAnswer(origin, request)).toMatch(/^HTTP\/1\.1 403 /);
  await once(connect(token), 'open');
});

test.each([
  'sec-websocket-protocol',
  'sec-websocket-key',
  'sec-websocket-version',
  'sec-websocket-extensions',
  'origin',
  'host',
])('no value of %s lets a page in or breaks the server', async (name) => {
  const { door, origin, connect } = await openDoor();
  const { token } = door.invite();
  await fuzz(60, async (value) => {
    const request = upgradeRequest(origin, { [name]: value });
    expect(await rawAnswer(origin, request)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });
  await once(connect(token), 'open');
});

test('a refused client that resets its connection breaks nothing', () => {
  const site = createServer();
  expect(new PageDoor(site)).toBeDefined();
  const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  site.emit('upgrade', { url: '/bridge', headers: {}, socket }, socket, Buffer.alloc(0));
  expect(() => socket.emit('error', new Error('read ECONNRESET'))).not.toThrow();
});

test.each(['origin', 'host', 'authorization', 'content-length', 'connection', 'x-any'])(
  'for any value of %s, the bridge answers and keeps running',
  async (name) => {
    const { origin, url } = await openBridge((_, response) => void response.end('{}'));
    const { host } = new URL(origin);
    await fuzz(60, async (value, other) => {
      const headers = { host, connection: 'close', 'x-other': other, [name]: value };
      const lines = Object.entries(headers).map((pair) => `${pair.join(': ')}\r\n`);
      const answer = await rawAnswer(origin, `GET /v1/models HTTP/1.1\r\n${lines.join('')}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 [2-5]\d\d /);
    });
    expect((await fetch(`${url}/models`)).status).toBe(200);
  },
);
