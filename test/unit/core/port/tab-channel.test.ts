import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineClient } from '../../../../src/core/port/engine-client.ts';
import { engineOf } from '../../../../src/core/port/engine.ts';
import type { HostPort } from '../../../../src/core/port/engine-port.ts';
import type { GenerateJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { answerTab, requestPortOfTabs } from '../../../../src/core/port/tab-channel.ts';
import { tabChannel, type TabMessage } from '../../../../src/core/port/tab-messages.ts';
import { holdWebLock } from '../../../../src/core/port/web-lock.ts';
import { serveEngine } from '../../../../src/core/port/engine-host.ts';
import { FakeLocks } from '../../support/fakes/fake-locks.ts';
import { iterated } from '../../support/sinks.ts';
import { NEVER } from '../../support/never.ts';

const JOB: GenerateJob = {
  op: 'generate',
  model: 'm',
  prompt: { kind: 'raw', text: 'Hi' },
  sampling: {},
  stop: [],
};
const LOCK = 'lock of the engine';
const engine = engineOf<'generate'>({
  async *generate() {
    for (const text of ['a', 'b', 'c']) yield { type: 'text', text };
  },
});

let base: string;
let locks: FakeLocks;
/** The leading tabs. */
let leaders: BroadcastChannel[];
/** Ports of the engine host, and whether they are open. */
let ports: { isOpen: boolean }[];
/** Requests that a leader has heard. */
let heard: number;

beforeEach(async () => {
  base = `http://site/${crypto.randomUUID()}/`;
  locks = new FakeLocks();
  leaders = [];
  ports = [];
  heard = 0;
  vi.stubGlobal('navigator', { locks });
  await holdWebLock(LOCK);
});

afterEach(() => {
  for (const leader of leaders) leader.close();
  vi.unstubAllGlobals();
});

function attach(): Promise<HostPort<MessagePort>> {
  const { port1, port2 } = new MessageChannel();
  const port = { isOpen: true };
  ports.push(port);
  port1.addEventListener('close', () => (port.isOpen = false));
  serveEngine(port1, engine, { watch: () => undefined });
  return Promise.resolve({ port: port2, lock: LOCK });
}

/** A tab leads from now on. */
function lead(attached = attach): void {
  const tabs = tabChannel(base);
  leaders.push(tabs);
  tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    heard++;
    if (data.type === 'slashv1:connect') void answerTab(data.nonce, attached);
  };
  const message: TabMessage = { type: 'slashv1:leads' };
  tabs.postMessage(message);
}

const notOwn = () => Promise.resolve(undefined);
const request = (signal = NEVER) => requestPortOfTabs(base, notOwn, signal);
const open = () => ports.filter(({ isOpen }) => isOpen).length;

/** Ends the tab that asked, without a word. */
async function endTab(): Promise<void> {
  const isChannel = (name: string) => name.startsWith('slashv1:channel:');
  await vi.waitFor(() => expect(locks.awaited.some(isChannel)).toBe(true));
  for (const name of locks.held.filter(isChannel)) locks.endHolder(name);
}

async function textOf(client: EngineClient): Promise<string> {
  let text = '';
  for await (const event of iterated(client).run(JOB, NEVER))
    if (event.type === 'text') text += event.text;
  return text;
}

test('a tab reaches the engine of another one, and its end closes the port', async () => {
  lead();
  const { port, lock } = await request();
  expect(lock).toBe(LOCK);
  const client = new EngineClient(port, lock);
  await client.ready;
  expect(await textOf(client)).toBe('abc');
  expect(open()).toBe(1);
  client.close();
  await vi.waitFor(() => expect(open()).toBe(0));
});

test('a tab is told why the leader’s engine cannot start, and may ask again', async () => {
  let isMended = false;
  lead(() => (isMended ? attach() : Promise.reject(new Error('engine.js is missing.'))));
  await expect(request()).rejects.toMatchObject({
    data: { status: 500, code: 'engine_error', message: 'engine.js is missing.' },
  });
  isMended = true;
  expect((await request()).lock).toBe(LOCK);
});

test('several tabs have a connection each', async () => {
  lead();
  const hosts = await Promise.all([request(), request(), request()]);
  const clients = hosts.map(({ port, lock }) => new EngineClient(port, lock));
  expect(await Promise.all(clients.map(textOf))).toEqual(['abc', 'abc', 'abc']);
  for (const client of clients) client.close();
  await vi.waitFor(() => expect(open()).toBe(0));
});

test('the port of a tab that ends without a word is closed', async () => {
  lead();
  const { port, lock } = await request();
  const client = new EngineClient(port, lock);
  await client.ready;
  await endTab();
  await vi.waitFor(() => expect(open()).toBe(0));
  client.close();
});

test('so is the port of a tab that ends before it has used it', async () => {
  lead();
  await request();
  expect(open()).toBe(1);
  await endTab();
  await vi.waitFor(() => expect(open()).toBe(0));
});

test('so is the port for a tab that ends before it gets it', async () => {
  const asked = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  lead(async () => {
    asked.resolve();
    await started.promise;
    return attach();
  });
  const stopping = new AbortController();
  const asking = request(stopping.signal);
  await asked.promise;
  stopping.abort(new Error('stopped'));
  await expect(asking).rejects.toThrow('stopped');
  started.resolve();
  await vi.waitFor(() => expect(ports).toHaveLength(1));
  await vi.waitFor(() => expect(open()).toBe(0));
});

test('a tab that hosts the engine itself asks nobody', async () => {
  lead();
  const own = await attach();
  expect(await requestPortOfTabs(base, () => Promise.resolve(own), NEVER)).toBe(own);
  expect(heard).toBe(0);
  own.port.close();
});

test('a new leader is asked at once', async () => {
  // The request is not repeated, because the timers stand still.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const asking = request();
  lead();
  const { port } = await asking;
  vi.useRealTimers();
  const client = new EngineClient(port, LOCK);
  expect(await textOf(client)).toBe('abc');
  client.close();
});

test('a request that is repeated while the engine starts is answered once', async () => {
  const started = Promise.withResolvers<void>();
  lead(async () => {
    await started.promise;
    return attach();
  });
  const asking = request();
  await vi.waitFor(() => expect(heard).toBeGreaterThan(1), 5_000);
  started.resolve();
  const { port } = await asking;
  expect(ports).toHaveLength(1);
  const client = new EngineClient(port, LOCK);
  client.close();
  await vi.waitFor(() => expect(open()).toBe(0));
});

test('an abort ends the request', async () => {
  const stopping = new AbortController();
  const asking = request(stopping.signal);
  stopping.abort(new Error('stopped'));
  await expect(asking).rejects.toThrow('stopped');
});
