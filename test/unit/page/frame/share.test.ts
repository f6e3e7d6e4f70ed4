import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../src/core/database/database.ts';
import { KeyReader } from '../../../../src/core/keys/key-reader.ts';
import { KeyStore } from '../../../../src/core/keys/keys.ts';
import type { FromFrame, ToFrame } from '../../../../src/page/frame/messages.ts';
import { share, type LendingPage } from '../../../../src/page/frame/share.ts';
import { emptyDatabases } from '../../support/database.ts';
import { FakeLocks } from '../../support/fakes/fake-locks.ts';

const ORIGIN = 'https://frame.test';
const BASE = 'https://page.test/v1';
const isInvalid = { data: { status: 401, code: 'invalid_api_key' } };

let open: () => Promise<Database>;
let keys: KeyStore;
let page: EventTarget;
let frame: Window;
let stopping: AbortController;
let asked: Request[];
let ports: MessagePort[];
let locks: FakeLocks;
/** What the page answers with. */
let answer: (request: Request) => Promise<Response>;

beforeEach(() => {
  const databases = emptyDatabases();
  open = databases.open;
  keys = new KeyStore(databases.openSmall);
  page = new EventTarget();
  // Only its identity matters.
  frame = new EventTarget() as Window;
  stopping = new AbortController();
  asked = [];
  ports = [];
  answer = () => Promise.resolve(new Response('yes', { status: 201 }));
  locks = new FakeLocks();
  vi.stubGlobal('navigator', { locks });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
});

afterEach(() => {
  for (const port of ports) port.close();
  vi.unstubAllGlobals();
});

function lend(origin = ORIGIN, options = {}) {
  const lending: LendingPage = {
    baseURL: BASE,
    keys,
    stopping: stopping.signal,
    answer: (request) => {
      asked.push(request);
      return answer(request);
    },
  };
  return share(lending, frame, origin, options);
}

/** What a document of a frame does, as far as the page notices. */
function connect({ origin = ORIGIN, source = frame, nonce = 'a', loadedAt = 1 } = {}) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  const got: ToFrame[] = [];
  port1.onmessage = ({ data }: MessageEvent<ToFrame>) => got.push(data);
  const data = { type: 'slashv1:frame-connect', nonce, loadedAt };
  const event = Object.assign(new Event('message'), { origin, source, data, ports: [port2] });
  page.dispatchEvent(event);
  const send = (message: FromFrame) => port1.postMessage(message);
  const next = <T extends ToFrame['type']>(type: T) =>
    vi.waitFor(() => {
      const found = got.find((each): each is ToFrame & { type: T } => each.type === type);
      if (!found) throw new Error(`No '${type}' has arrived.`);
      return found;
    });
  return { got, send, next };
}

const request = { type: 'request', id: 1, url: `${BASE}/models`, method: 'GET' } as const;
const check = (key: string) => new KeyReader(open).check(`Bearer ${key}`);

test('an origin that is none is refused at once', () => {
  for (const origin of ['*', '', 'https://frame.test/', 'frame.test']) {
    expect(() => lend(origin)).toThrow(TypeError);
  }
  expect(() => lend('null')).not.toThrow();
});

test('a frame gets a key of its own, which may use models and not manage them', async () => {
  lend(ORIGIN, { models: ['m'], label: 'chat' });
  const { apiKey, baseURL } = await connect().next('ready');
  expect(baseURL).toBe(BASE);
  expect(await check(apiKey)).toMatchObject({ label: 'chat', models: ['m'], manageModels: false });
});

test('the key of a frame is refused once the page that lent it has crashed', async () => {
  lend();
  const { apiKey } = await connect().next('ready');
  expect(await check(apiKey)).toMatchObject({ label: 'frame' });
  // The browser releases a crashed page's locks without an event.
  for (const name of locks.held) locks.endHolder(name);
  await expect(check(apiKey)).rejects.toMatchObject(isInvalid);
});

test('other frames, and other documents in the frame, are not answered', async () => {
  lend();
  const others = [
    connect({ origin: 'https://other.test', nonce: 'b' }),
    connect({ source: new EventTarget() as Window, nonce: 'c' }),
  ];
  await connect().next('ready');
  expect(others.map(({ got }) => got)).toEqual([[], []]);
});

test('a message that is repeated does not connect again', async () => {
  lend();
  const first = connect();
  const again = connect();
  await first.next('ready');
  expect(again.got).toEqual([]);
  expect(await keys.list()).toHaveLength(1);
});

test('a request has the key of the frame, whatever it sends', async () => {
  lend();
  const { send, next } = connect();
  const { apiKey } = await next('ready');
  const headers: [string, string][] = [
    ['authorization', 'Bearer stolen'],
    ['x-api-key', 'stolen'],
    ['content-type', 'application/json'],
  ];
  send({ ...request, method: 'POST', headers, body: new TextEncoder().encode('{}').buffer });
  expect(await next('response')).toMatchObject({ id: 1, status: 201, hasBody: true });
  const [got] = asked;
  expect(got?.headers.get('authorization')).toBe(`Bearer ${apiKey}`);
  expect(got?.headers.get('x-api-key')).toBeNull();
  expect(await got?.text()).toBe('{}');
});

test('a body is sent as it is pulled, chunk by chunk', async () => {
  lend();
  const { got, send, next } = connect();
  await next('ready');
  send({ ...request, headers: [], body: undefined });
  await next('response');
  expect(got.some(({ type }) => type === 'chunk')).toBe(false);
  send({ type: 'pull', id: 1 });
  const { bytes } = await next('chunk');
  expect(new TextDecoder().decode(bytes)).toBe('yes');
  send({ type: 'pull', id: 1 });
  await next('end');
});

test('a failure is told, and a cancelled request is aborted', async () => {
  answer = ({ signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    );
  lend();
  const { send, next } = connect();
  await next('ready');
  send({ ...request, headers: [], body: undefined });
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  send({ type: 'cancel', id: 1 });
  await next('failed');
  expect(asked[0]?.signal.aborted).toBe(true);
});

describe('the key ends', () => {
  const ends: [string, (lent: ReturnType<typeof lend>, send: (m: FromFrame) => void) => void][] = [
    ['when it is revoked', (lent) => void lent.revoke()],
    ['when the page stops', () => stopping.abort()],
    ['when the frame says good-bye', (_lent, send) => send({ type: 'bye' })],
    ['when another document is in the frame', () => connect({ nonce: 'b', loadedAt: 2 })],
    ['when a message cannot be read', (_lent, send) => send(null as unknown as FromFrame)],
  ];
  test.each(ends)('%s', async (_when, end) => {
    const lent = lend();
    const { send, next } = connect();
    const { apiKey } = await next('ready');
    end(lent, send);
    await next('revoked');
    await vi.waitFor(() => expect(check(apiKey)).rejects.toMatchObject(isInvalid));
  });
});

test('nobody can connect after it was revoked', async () => {
  await lend().revoke();
  const { got } = connect();
  expect(await keys.list()).toEqual([]);
  expect(got).toEqual([]);
});
