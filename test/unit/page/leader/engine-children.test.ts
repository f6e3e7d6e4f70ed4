import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdWebLock } from '../../../../src/core/port/web-lock.ts';
import { FakeLocks } from '../../support/fake-locks.ts';
import { FakeWorker, started } from '../../support/fake-worker.ts';
import { stubWindow } from '../../support/fake-window.ts';

beforeEach(async () => {
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('navigator', { locks: new FakeLocks(), serviceWorker: { controller: null } });
  stubWindow('http://a/');
  await holdWebLock('lock');
});
afterEach(() => vi.unstubAllGlobals());

describe('a worker that the engine asks for', () => {
  /** An engine with a worker of its own. */
  function withChild() {
    const { engine, worker } = started();
    const { port1 } = new MessageChannel();
    const script = 'http://a/model.js';
    worker.say({ type: 'slashv1:start-worker', id: 7, script, name: 'a model' }, [port1]);
    return { engine, worker, child: FakeWorker.last, port: port1 };
  }

  test('is started, and gets its port to the engine', () => {
    const { engine, worker, child, port } = withChild();
    expect(child).not.toBe(worker);
    expect(child.script).toBe('http://a/model.js');
    expect(child.ports).toEqual([port]);
    engine.end();
  });

  test.each([
    ['The model is odd.', 'The model is odd.'],
    ['', 'http://a/model.js could not be loaded'],
  ])('reports its failure: %j', (message, reported) => {
    const { engine, worker, child } = withChild();
    const event = Object.assign(new Event('error', { cancelable: true }), { message });
    child.dispatchEvent(event);
    expect(worker.failures).toEqual([{ type: 'slashv1:worker-failed', id: 7, message: reported }]);
    // Otherwise the site's own error handling would report it.
    expect(event.defaultPrevented).toBe(true);
    expect(worker.isTerminated).toBe(false);
    engine.end();
  });

  test('is ended when the engine says so', () => {
    const { engine, worker, child } = withChild();
    worker.say({ type: 'slashv1:end-worker', id: 7 });
    expect([worker.isTerminated, child.isTerminated]).toEqual([false, true]);
    engine.end();
  });

  test('is ended with the engine', () => {
    const { engine, child } = withChild();
    engine.end();
    expect(child.isTerminated).toBe(true);
  });

  test('is not started for an engine that was ended', () => {
    const { engine, worker } = started();
    engine.end();
    const { port1 } = new MessageChannel();
    worker.say({ type: 'slashv1:start-worker', id: 8, script: 'http://a/b.js', name: 'b' }, [
      port1,
    ]);
    expect(FakeWorker.last).toBe(worker);
  });
});
