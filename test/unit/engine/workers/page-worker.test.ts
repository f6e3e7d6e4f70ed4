import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  workerName,
  type FromEngineWorker,
  type ToEngineWorker,
} from '../../../../src/core/realms/messages.ts';
import { NOT_FETCHED } from '../../../../src/core/site/served-file.ts';
import { enginePort } from '../../../../src/engine/workers/engine-port.ts';
import { pageWorkers, type WorkerPort } from '../../../../src/engine/workers/page-worker.ts';

/** Stands in for the global scopes of the engine worker, and of a worker that the page has started for it. */
class FakeScope {
  readonly told: { message: FromEngineWorker | null; ports: Transferable[] }[] = [];
  readonly #listeners = new Set<(event: MessageEvent) => void>();

  addEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.#listeners.delete(listener);
  }

  postMessage(message: FromEngineWorker | null, ports: Transferable[] = []): void {
    this.told.push({ message, ports });
  }

  hear(data: ToEngineWorker | null, ports: MessagePort[] = []): void {
    const event = new MessageEvent('message', { data, ports });
    for (const listener of this.#listeners) listener(event);
  }
}

let engine: FakeScope;
beforeEach(() => {
  engine = new FakeScope();
});

afterEach(() => {
  vi.useRealTimers();
});

const newWorker = () => pageWorkers(engine)(new URL('http://a/model.js'), 'a model');

/** The start that the page was asked for last, and the port for the worker. */
function wanted() {
  const { message, ports } = engine.told.at(-1) ?? {};
  if (message?.type !== 'slashv1:start-worker') throw new Error('No worker was asked for.');
  const [sent] = ports ?? [];
  if (!(sent instanceof MessagePort)) throw new Error('It got no port.');
  return { message, id: message.id, sent };
}

/** Runs the script of a worker that the page was asked for. */
async function run(sent: MessagePort) {
  const scope = new FakeScope();
  const port = enginePort(scope);
  scope.hear(null, [sent]);
  return { port: await port, scope };
}

/** A worker, its port as the worker gets it, and its id. */
async function startWorker() {
  const worker = newWorker();
  const { message, id, sent } = wanted();
  return { worker, ...(await run(sent)), id, message };
}

const nextMessage = (port: WorkerPort) =>
  new Promise((resolve) => (port.onmessage = ({ data }) => resolve(data)));

test('what runs in the page or in a worker of it ends when another page comes, and what outlives the page does not', async () => {
  const ends: string[] = [];
  for (const name of ['', 'a model', workerName('hearing')]) {
    const worker = pageWorkers(engine)(new URL('http://a/'), name);
    await run(wanted().sent);
    // The engine hears of it in a later turn.
    await new Promise((resolve) => setTimeout(resolve));
    worker.addEventListener('error', ({ message }) => ends.push(`${name}: ${message}`));
  }
  engine.hear({ type: 'slashv1:configure' } as ToEngineWorker);
  expect(ends).toEqual([
    ': The page that ran it has gone.',
    'slashv1 hearing: The page that ran it has gone.',
  ]);
});

test('the page is asked for it, and messages go past the page in both directions', async () => {
  const { worker, port, message } = await startWorker();
  expect(message).toMatchObject({ script: 'http://a/model.js', name: 'a model' });
  const atWorker = nextMessage(port);
  const bytes = Uint8Array.of(1, 2, 3);
  worker.port.postMessage({ bytes }, [bytes.buffer]);
  expect(await atWorker).toEqual({ bytes: Uint8Array.of(1, 2, 3) });
  expect(bytes).toHaveLength(0);
  const atEngine = nextMessage(worker.port);
  port.postMessage('done');
  expect(await atEngine).toBe('done');
  expect(engine.told).toHaveLength(1);
  worker.terminate();
});

test('a worker that does not start gets a second one beside it, which gets its messages', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const worker = newWorker();
  const first = wanted();
  worker.port.postMessage('load');
  worker.port.postMessage('answer');
  vi.advanceTimersByTime(20_000);
  const second = wanted();
  expect(second.id).not.toBe(first.id);
  // From an address of its own: requests of one address wait for each other.
  expect(second.message.script).toMatch(/^http:\/\/a\/model\.js\?&.{36}$/);
  const { port } = await run(second.sent);
  const heard: unknown[] = [];
  const both = new Promise<void>((resolve) => {
    port.onmessage = ({ data }) => {
      if (heard.push(data) === 2) resolve();
    };
  });
  await both;
  expect(heard).toEqual(['load', 'answer']);
  const end = (id: number) => ({ type: 'slashv1:end-worker', id });
  expect(engine.told.at(-1)?.message).toEqual(end(first.id));
  worker.terminate();
  expect(engine.told.at(-1)?.message).toEqual(end(second.id));
});

test('a slow worker that starts after all is used, and the second one is ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const worker = newWorker();
  const first = wanted();
  vi.advanceTimersByTime(20_000);
  const second = wanted();
  worker.port.postMessage('load');
  const { port } = await run(first.sent);
  expect(await nextMessage(port)).toBe('load');
  expect(engine.told.at(-1)?.message).toEqual({ type: 'slashv1:end-worker', id: second.id });
  worker.terminate();
});

test('nothing is started beside a worker that has started, or was ended', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { worker, port } = await startWorker();
  worker.port.postMessage('load');
  await nextMessage(port);
  newWorker().terminate();
  const told = engine.told.length;
  vi.advanceTimersByTime(100_000);
  expect(engine.told).toHaveLength(told);
  worker.terminate();
});

test('the page alone is told that its script has been run', async () => {
  const { worker, scope } = await startWorker();
  expect(scope.told).toEqual([{ message: null, ports: [] }]);
  expect(engine.told).toHaveLength(1);
  worker.terminate();
});

test('the page is told to end it', async () => {
  const { worker, id } = await startWorker();
  worker.terminate();
  expect(engine.told.at(-1)?.message).toEqual({ type: 'slashv1:end-worker', id });
});

test('its failures are its own', async () => {
  const [first, second] = [await startWorker(), await startWorker()];
  const failures: string[] = [];
  first.worker.addEventListener('error', ({ message }) => failures.push(`first: ${message}`));
  second.worker.addEventListener('error', ({ message }) => failures.push(`second: ${message}`));
  const { id } = second;
  engine.hear({ type: 'slashv1:worker-failed', id, message: 'It is odd.' });
  expect(failures).toEqual(['second: It is odd.']);
  first.worker.terminate();
  second.worker.terminate();
});

test.each([
  ['http://a/model.js is missing.', false],
  [`http://a/model.js ${NOT_FETCHED}`, true],
])('its file is to blame: %s', async (message, retryable) => {
  const { worker, id } = await startWorker();
  const errors: unknown[] = [];
  worker.addEventListener('error', ({ error }) => errors.push(error));
  engine.hear({ type: 'slashv1:worker-failed', id, message });
  expect(errors).toMatchObject([{ data: { code: 'site_file_broken', message, retryable } }]);
  worker.terminate();
});
