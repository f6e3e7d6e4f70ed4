import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rejectsWithItsWorkers } from '../../../../../src/engine/llamacpp/worker/worker-failures.ts';

class FakeWorker extends EventTarget {
  static started: FakeWorker[] = [];
  isEnded = false;
  constructor() {
    super();
    FakeWorker.started.push(this);
  }
  postMessage(message: unknown) {
    structuredClone(message);
  }
  terminate() {
    this.isEnded = true;
  }
}

beforeAll(() => vi.stubGlobal('origin', 'http://site'));
afterAll(() => vi.unstubAllGlobals());

function newScope() {
  FakeWorker.started = [];
  return { Worker: FakeWorker as unknown as typeof Worker };
}

function startedIn(scope: { Worker: typeof Worker }): FakeWorker | undefined {
  void new scope.Worker('http://site/threads.js');
  return FakeWorker.started.at(-1);
}

test('a worker that does not start ends the wait, and the others too', async () => {
  const scope = newScope();
  const opened = rejectsWithItsWorkers(scope, () => {
    const threads = [1, 2].map(
      () => new scope.Worker('http://site/threads.js', { type: 'module' }),
    );
    threads[1]?.dispatchEvent(new Event('error'));
    return new Promise(() => undefined);
  });
  await expect(opened).rejects.toThrow('threads.js could not be started');
  expect(FakeWorker.started.map(({ isEnded }) => isEnded)).toEqual([true, true]);
});

test('who listens to the workers later hears of no failure before all have started', async () => {
  const scope = newScope();
  const heard: Event[] = [];
  const listen = (thread?: FakeWorker) =>
    thread?.addEventListener('error', (event) => heard.push(event));
  const fail = (thread?: FakeWorker) =>
    thread?.dispatchEvent(new Event('error', { cancelable: true }));
  const opened = rejectsWithItsWorkers(scope, () => {
    for (const thread of [startedIn(scope), startedIn(scope)]) listen(thread);
    // A cancelled event is reported by nobody else.
    expect(fail(FakeWorker.started[0])).toBe(false);
    return new Promise(() => undefined);
  });
  await expect(opened).rejects.toThrow('threads.js could not be started');
  expect(fail(FakeWorker.started[1])).toBe(false);
  expect(heard).toEqual([]);

  await rejectsWithItsWorkers(scope, async () => listen(startedIn(scope)));
  expect(fail(FakeWorker.started[2])).toBe(true);
  expect(heard).toHaveLength(1);
});

test('a worker that cannot get its memory ends the wait', async () => {
  const scope = newScope();
  const opened = rejectsWithItsWorkers(scope, () => {
    const thread = new scope.Worker('http://site/threads.js');
    // Emscripten sends the memory in a callback, where nothing catches the error.
    expect(() => thread.postMessage({ memory: () => undefined })).toThrow('could not be cloned');
    return new Promise(() => undefined);
  });
  await expect(opened).rejects.toThrow('threads.js could not be started');
});

test('workers that start go on, and later ones are nobody’s concern', async () => {
  const scope = newScope();
  const opened = await rejectsWithItsWorkers(
    scope,
    async () => new scope.Worker('http://site/threads.js'),
  );
  expect(opened).toBe(FakeWorker.started[0]);
  expect(FakeWorker.started[0]?.isEnded).toBe(false);
  expect(scope.Worker).toBe(FakeWorker);
});
