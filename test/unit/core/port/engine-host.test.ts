import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { engineOf, type Runs } from '../../../../src/core/port/engine.ts';
import type { ProgressEvent } from '../../../../src/core/operations/events/events.ts';
import type { FromHost, ToHost } from '../../../../src/core/port/port-messages.ts';
import { serveEngine } from '../../../../src/core/port/engine-host.ts';

const WATCH: ToHost = { type: 'run', id: 1, job: { op: 'watch' } };
const CANCEL: ToHost = { type: 'cancel', id: 1 };
const progress = { model: 'm', stage: 'ready' as const, loadedBytes: 0, totalBytes: 0, text: '' };
const LOADED: ProgressEvent = { type: 'progress', progress };

let channel: MessageChannel;
let received: FromHost[];

beforeEach(() => {
  channel = new MessageChannel();
  received = [];
  channel.port1.onmessage = ({ data }: MessageEvent<FromHost>) => received.push(data);
});

afterEach(() => channel.port1.close());

const releases = new Map<string, () => void>();

function serve(watchModels: Runs<'watch'>['watch']): void {
  const watch = (lock: string, onReleased: () => void) => void releases.set(lock, onReleased);
  serveEngine(channel.port2, engineOf({ watch: watchModels }), { watch });
}

async function* untilAborted(_job: unknown, signal: AbortSignal): AsyncGenerator<ProgressEvent> {
  yield LOADED;
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  await promise;
}

describe('the host of an engine', () => {
  test('says hello before any job', async () => {
    serve(untilAborted);
    await vi.waitFor(() => expect(received).toEqual([{ type: 'hello' }]));
  });

  test('ends every job with one message', async () => {
    serve(async function* () {
      yield LOADED;
    });
    channel.port1.postMessage(WATCH);
    await vi.waitFor(() => expect(received).toHaveLength(3));
    expect(received.slice(1)).toEqual([
      { type: 'event', id: 1, event: LOADED },
      { type: 'done', id: 1 },
    ]);
  });

  test('ends every job of a client that is gone', async () => {
    const signals: AbortSignal[] = [];
    serve((job, signal) => {
      signals.push(signal);
      return untilAborted(job, signal);
    });
    const hello: ToHost = { type: 'hello', lock: 'of-the-client' };
    for (const message of [hello, WATCH, { ...WATCH, id: 2 }]) channel.port1.postMessage(message);
    await vi.waitFor(() => expect(signals).toHaveLength(2));
    releases.get('of-the-client')?.();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  test('ends every job of a client that says goodbye, and closes its port', async () => {
    const signals: AbortSignal[] = [];
    serve((job, signal) => {
      signals.push(signal);
      return untilAborted(job, signal);
    });
    const closed = vi.fn<() => void>();
    channel.port1.addEventListener('close', closed);
    channel.port1.postMessage(WATCH);
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    channel.port1.postMessage({ type: 'bye' } satisfies ToHost);
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
    expect(signals[0]?.aborted).toBe(true);
  });

  test('sends no failure for a cancelled job', async () => {
    let ended = false;
    serve(async function* (job, signal) {
      try {
        yield* untilAborted(job, signal);
      } finally {
        ended = true;
      }
    });
    channel.port1.postMessage(WATCH);
    channel.port1.postMessage(CANCEL);
    await vi.waitFor(() => expect(ended).toBe(true));
    // Anything the host sends about it arrives before the next job's first event.
    channel.port1.postMessage({ ...WATCH, id: 2 });
    await vi.waitFor(() =>
      expect(received).toContainEqual({ type: 'event', id: 2, event: LOADED }),
    );
    expect(received.filter(({ type }) => type === 'failed')).toEqual([]);
  });
});
