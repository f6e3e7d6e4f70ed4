import { once } from 'node:events';
import { expect, test } from 'vitest';
import { BRIDGE_PROTOCOL } from '../../../src/core/realms/bridge-messages.ts';
import { PageFailure } from '../../../src/node/serve/bridge/bridge-page.ts';
import { openDoor, openPage } from './support/bridge.ts';
import { rawAnswer, upgradeRequest } from './support/client.ts';

/** The first event of the socket, `open` or `error`. */
function outcome(socket: WebSocket): Promise<string> {
  return Promise.race(
    ['open', 'error'].map(async (name) => {
      await once(socket, name);
      return name;
    }),
  );
}

test('the invited page can connect once', async () => {
  const { door, connect } = await openDoor();
  const { token } = door.invite();
  expect(await outcome(connect(token))).toBe('open');
  expect(await outcome(connect(token))).toBe('error');
});

test('no page can connect uninvited, with a wrong token or with an expired one', async () => {
  const { door, connect } = await openDoor();
  expect(await outcome(connect('token'))).toBe('error');
  const { token: expired } = door.invite();
  const { token } = door.invite();
  expect(await outcome(connect('wrong'))).toBe('error');
  expect(await outcome(connect(expired))).toBe('error');
  expect(await outcome(connect(token))).toBe('open');
});

test('the token is refused under another host name, which a page of another site would send', async () => {
  const { door, origin, connect } = await openDoor();
  const { token } = door.invite();
  const upgradeAs = (host: string) =>
    rawAnswer(
      origin,
      upgradeRequest(origin, { host, 'sec-websocket-protocol': `${BRIDGE_PROTOCOL}, ${token}` }),
    );
  expect(await upgradeAs(`evil.test:${new URL(origin).port}`)).toMatch(/^HTTP\/1\.1 403 /);
  expect(await upgradeAs('127.0.0.1')).toMatch(/^HTTP\/1\.1 403 /);
  expect(await outcome(connect(token))).toBe('open');
});

test('a page gets its start options and reports its progress', async () => {
  const { page, socket } = await openPage();
  const reports: string[] = [];
  const started = page.start({
    apiKey: 'sk-1',
    models: ['a/b', 'c'],
    options: { contextLength: 4096, hear: 'd' },
    onProgress: ({ model, stage }) => reports.push(`${model} ${stage}`),
  });
  const [message]: MessageEvent[] = await once(socket, 'message');
  expect(JSON.parse(message?.data)).toEqual({
    type: 'start',
    apiKey: 'sk-1',
    model: 'a/b',
    others: ['c'],
    options: { contextLength: 4096, hear: 'd' },
  });
  const progress = { model: 'a/b', stage: 'load', loadedBytes: 1, totalBytes: 2, text: '' };
  socket.send(JSON.stringify({ type: 'progress', progress }));
  socket.send(JSON.stringify({ type: 'ready' }));
  await started;
  expect(reports).toEqual(['a/b load']);
});

test('a page reports why it cannot start', async () => {
  const { page, socket } = await openPage();
  const started = page.start({ apiKey: 'sk-1', onProgress: () => {} });
  socket.send(JSON.stringify({ type: 'failed', message: 'No WebGPU.' }));
  await expect(started).rejects.toThrow(new PageFailure('No WebGPU.'));
});

test.each(['no JSON', '{"type":"unheard-of"}', '{"type":"response","id":0,"status":99}'])(
  'a page that sends %s is disconnected',
  async (nonsense) => {
    const { page, socket } = await openPage();
    socket.send(nonsense);
    await page.closed;
  },
);
