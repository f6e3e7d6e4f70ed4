import { beforeEach, expect, test } from 'vitest';
import type { FromEngineWorker, ToEngineWorker } from '../../../../src/core/realms/messages.ts';
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

/** A worker, its port as the worker gets it, and its id. */
async function startWorker() {
  const worker = pageWorkers(engine)(new URL('http://a/model.js'), 'a model');
  const { message, ports } = engine.told.at(-1) ?? {};
  if (message?.type !== 'slashv1:start-worker') throw new Error('No worker was asked for.');
  const [sent] = ports ?? [];
  if (!(sent instanceof MessagePort)) throw new Error('It got no port.');
  const scope = new FakeScope();
  const port = enginePort(scope);
  scope.hear(null, [sent]);
  return { worker, port: await port, id: message.id, message, scope };
}

const nextMessage = (port: WorkerPort) =>
  new Promise((resolve) => (port.onmessage = ({ data }) => resolve(data)));

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
