import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdWebLock } from '../../../../src/core/port/web-lock.ts';
import { END_NOTE, VERSION_NOTE } from '../../../../src/core/version.ts';
import { FakeLocks } from '../../support/fakes/fake-locks.ts';
import { FakeWorker, started } from '../../support/fakes/fake-worker.ts';
import { stubWindow } from '../../support/fakes/fake-window.ts';

const HTML = { headers: { 'content-type': 'text/html; charset=utf-8' } };

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

  test.each<[string, Response | undefined, string]>([
    [
      'A SyntaxError',
      new Response(VERSION_NOTE + END_NOTE),
      'http://a/model.js does not run: A SyntaxError.',
    ],
    ['', new Response('', { status: 404 }), 'http://a/model.js is missing.'],
    [
      '',
      new Response('', { status: 503 }),
      'http://a/model.js cannot be had: its server answers 503.',
    ],
    [
      '',
      new Response('<!doctype html>', HTML),
      'http://a/model.js is missing: the server sends a page',
    ],
    ['', new Response(''), 'http://a/model.js is empty.'],
    ['', new Response('alert(1)'), 'http://a/model.js is not of slashv1.'],
    ['', undefined, 'http://a/model.js cannot be fetched: the network or the server fails.'],
    ['', new Response(VERSION_NOTE + END_NOTE), 'http://a/model.js does not run as a worker'],
  ])('reports why it does not start: %j, %o', async (message, served, reported) => {
    vi.stubGlobal('fetch', () =>
      served ? Promise.resolve(served.clone()) : Promise.reject(new Error()),
    );
    const { engine, worker, child } = withChild();
    child.dispatchEvent(Object.assign(new Event('error', { cancelable: true }), { message }));
    await vi.waitFor(() => expect(worker.failures).toHaveLength(1));
    expect(worker.failures).toMatchObject([{ id: 7, message: expect.stringContaining(reported) }]);
    engine.end();
  });

  test('reports that its script is empty, which runs without an error', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('')));
    const { engine, worker } = withChild();
    vi.advanceTimersByTime(3_000);
    vi.useRealTimers();
    const failure = { message: expect.stringContaining('is empty') };
    await vi.waitFor(() => expect(worker.failures).toMatchObject([failure]));
    engine.end();
  });

  test('reports its failure', () => {
    const { engine, worker, child } = withChild();
    child.dispatchEvent(new MessageEvent('message', { data: null }));
    const message = 'The model is odd.';
    const event = Object.assign(new Event('error', { cancelable: true }), { message });
    child.dispatchEvent(event);
    expect(worker.failures).toEqual([{ type: 'slashv1:worker-failed', id: 7, message }]);
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
