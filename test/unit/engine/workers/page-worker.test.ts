import { beforeEach, expect, test } from 'vitest';
import type { FromEngineWorker, ToEngineWorker } from '../../../../src/core/realms/messages.ts';
import { enginePort } from '../../../../src/engine/workers/engine-port.ts';
import { pageWorkers } from '../../../../src/engine/workers/page-worker.ts';

/** Stands in for the global scopes of the engine worker, and of a worker that the page has started for it. */
class FakeScope {
  readonly told: { message: FromEngineWorker; ports: Transferable[] }[] = [];
  readonly #listeners = new Set<(event: MessageEvent) => void>();

  addEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'message', listener: (event: MessageEvent) => void): void {
    this.#listeners.delete(listener);
  }

  postMessage(message: FromEngineWorker, ports: Transferable[]): void {
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
  return { worker, port: await port, id: message.id, message };
}

const nextMessage = (target: Pick<EventTarget, 'addEventListener'>) =>
  new Promise((resolve) =>
    target.addEventListener('message', (event) => resolve((event as MessageEvent).data)),
  );

test('the page is asked for it, and messages go past the page in both directions', async () => {
  const { worker, port, message, id } = await startWorker();
  expect(message).toMatchObject({ script: 'http://a/model.js', name: 'a model' });
  const atWorker = nextMessage(port);
  port.start();
  const bytes = Uint8Array.of(1, 2, 3);
  worker.postMessage({ bytes }, [bytes.buffer]);
  expect(await atWorker).toEqual({ bytes: Uint8Array.of(1, 2, 3) });
  expect(bytes).toHaveLength(0);
  const atEngine = nextMessage(worker);
  port.postMessage('done');
  expect(await atEngine).toBe('done');
  const types = engine.told.map((told) => told.message.type);
  // That the script has been run concerns the page alone.
  expect(types).toEqual(['slashv1:start-worker', 'slashv1:worker-runs']);
  expect(engine.told[1]?.message).toMatchObject({ id });
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
  engine.hear({ type: 'slashv1:worker-failed', id: second.id, message: 'It is odd.' });
  expect(failures).toEqual(['second: It is odd.']);
  first.worker.terminate();
  second.worker.terminate();
});
