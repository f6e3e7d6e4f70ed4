import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EngineClient } from '../../../../src/core/port/engine-client.ts';
import { engineOf } from '../../../../src/core/port/engine.ts';
import type { GenerateEvent } from '../../../../src/core/operations/events/events.ts';
import type { GenerateJob } from '../../../../src/core/operations/jobs/jobs.ts';
import type { ToHost } from '../../../../src/core/port/port-messages.ts';
import { serverError } from '../../../../src/core/errors/errors.ts';
import type { Liveness } from '../../../../src/core/port/web-lock.ts';
import { serveEngine } from '../../../../src/core/port/engine-host.ts';
import { iterated } from '../../support/sinks.ts';
import { NEVER } from '../../support/never.ts';

const JOB: GenerateJob = {
  op: 'generate',
  model: 'm',
  prompt: { kind: 'raw', text: 'Hi' },
  sampling: {},
  stop: [],
};
const text = (piece: string): GenerateEvent => ({ type: 'text', text: piece });
let channel: MessageChannel;
let releaseLock: () => void;
let signals: AbortSignal[];
/** Aborts when the client watches its host no more. */
let watching: AbortSignal | undefined;

beforeEach(() => {
  channel = new MessageChannel();
  signals = [];
  held.clear();
  releaseLock = () => expect.fail('nobody watches the lock');
});

afterEach(() => channel.port1.close());

const held = new Set<string>();

/** Web Locks of one realm. */
const liveness: Liveness = {
  hold(name) {
    held.add(name);
    return Promise.resolve(() => void held.delete(name));
  },
  watch(name, onReleased, signal) {
    expect(name).toBe('the-lock');
    releaseLock = onReleased;
    watching = signal;
  },
};

function client(): EngineClient {
  return new EngineClient(channel.port1, 'the-lock', liveness);
}

/** A client whose host runs an engine that does this. */
function clientOf(run: (signal: AbortSignal) => AsyncIterable<GenerateEvent>): EngineClient {
  const engine = engineOf<'generate'>({
    generate: (_job, signal) => {
      signals.push(signal);
      return run(signal);
    },
  });
  serveEngine(channel.port2, engine, { watch: () => undefined });
  return client();
}

async function collect(events: AsyncIterable<GenerateEvent>): Promise<string> {
  let pieces = '';
  for await (const event of events) if (event.type === 'text') pieces += event.text;
  return pieces;
}

async function* hello(): AsyncGenerator<GenerateEvent> {
  yield text('Hel');
  yield text('lo');
}

async function* helloForEver(signal: AbortSignal): AsyncGenerator<GenerateEvent> {
  yield text('Hello');
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason));
  await promise;
}

describe('a job sent to the engine host', () => {
  test('gives its events in order and ends', async () => {
    expect(await collect(iterated(clientOf(hello)).run(JOB, NEVER))).toBe('Hello');
  });

  test('runs beside others', async () => {
    const engine = clientOf(hello);
    const jobs = [iterated(engine).run(JOB, NEVER), iterated(engine).run(JOB, NEVER)];
    expect(await Promise.all(jobs.map(collect))).toEqual(['Hello', 'Hello']);
  });

  test('that fails throws the same error, as data', async () => {
    const engine = clientOf(async function* () {
      yield text('Hel');
      throw serverError('out_of_memory', 'No room.');
    });
    await expect(collect(iterated(engine).run(JOB, NEVER))).rejects.toMatchObject({
      name: 'ApiError',
      data: { status: 500, code: 'out_of_memory', message: 'No room.', retryable: false },
    });
  });

  test('that fails in an unforeseen way is an engine_error, and a line in the console', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    // oxlint-disable-next-line require-yield
    const engine = clientOf(async function* () {
      throw new TypeError('x is not a function');
    });
    await expect(collect(iterated(engine).run(JOB, NEVER))).rejects.toMatchObject({
      data: { code: 'engine_error', message: 'x is not a function' },
    });
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
  });

  test('can be cancelled: it throws the reason at once, and the engine stops', async () => {
    const engine = clientOf(helloForEver);
    const controller = new AbortController();
    const events = iterated(engine).run(JOB, controller.signal);
    expect(await events.next()).toEqual({ value: text('Hello'), done: false });
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(events.next()).rejects.toBe(reason);
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  });

  test('that is cancelled does not affect others', async () => {
    const engine = clientOf(helloForEver);
    const controller = new AbortController();
    const cancelled = iterated(engine).run(JOB, controller.signal);
    const other = iterated(engine).run(JOB, NEVER);
    await Promise.all([cancelled.next(), other.next()]);
    controller.abort();
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
    expect(signals[1]?.aborted).toBe(false);
    await other.return();
  });

  test('is not sent if it was cancelled before', async () => {
    const engine = clientOf(hello);
    await expect(
      collect(iterated(engine).run(JOB, AbortSignal.abort(new Error('early')))),
    ).rejects.toThrow('early');
    expect(signals).toEqual([]);
  });

  test('whose reader leaves early stops the engine', async () => {
    const engine = clientOf(helloForEver);
    for await (const event of iterated(engine).run(JOB, NEVER)) {
      expect(event).toEqual(text('Hello'));
      break;
    }
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  });

  test('that ended is not cancelled any more', async () => {
    const sent: ToHost[] = [];
    const engine = client();
    channel.port2.onmessage = ({ data }: MessageEvent<ToHost>) => {
      if (data.type !== 'hello') sent.push(data);
      if (data.type === 'run') channel.port2.postMessage({ type: 'done', id: data.id });
    };
    const controller = new AbortController();
    await collect(iterated(engine).run(JOB, controller.signal));
    controller.abort();
    await collect(iterated(engine).run(JOB, NEVER));
    expect(sent.map(({ type }) => type)).toEqual(['run', 'run']);
  });
});

describe('a client', () => {
  test('holds a lock while it lives, and releases it when it closes', async () => {
    const hellos: ToHost[] = [];
    channel.port2.onmessage = ({ data }: MessageEvent<ToHost>) => hellos.push(data);
    const engine = client();
    await vi.waitFor(() => expect(hellos).toEqual([{ type: 'hello', lock: [...held][0] }]));
    engine.close();
    await vi.waitFor(() => expect(held.size).toBe(0));
  });

  test('says goodbye when it closes, and watches its host no more', async () => {
    const received: string[] = [];
    channel.port2.onmessage = ({ data }: MessageEvent<ToHost>) => received.push(data.type);
    const engine = client();
    await vi.waitFor(() => expect(received).toEqual(['hello']));
    expect(watching?.aborted).toBe(false);
    engine.close();
    await vi.waitFor(() => expect(received).toEqual(['hello', 'bye']));
    expect(watching?.aborted).toBe(true);
  });

  test.each([
    ['it closes', (engine: EngineClient) => engine.close()],
    ['its host is gone', () => releaseLock()],
  ])('leaves no port open when %s', async (_, end) => {
    const closed = vi.fn<() => void>();
    channel.port2.addEventListener('close', closed);
    channel.port2.start();
    end(client());
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
  });
});

describe('an engine host', () => {
  test('is ready when it has said hello', async () => {
    await expect(clientOf(hello).ready).resolves.toBeUndefined();
  });

  test('that is gone fails running and later jobs', async () => {
    const engine = clientOf(helloForEver);
    const events = iterated(engine).run(JOB, NEVER);
    await events.next();
    releaseLock();
    await expect(events.next()).rejects.toMatchObject({ data: { code: 'engine_error' } });
    expect(engine.isGone).toBe(true);
    await expect(engine.gone).resolves.toBeUndefined();
    await expect(collect(iterated(engine).run(JOB, NEVER))).rejects.toThrow(/gone/);
  });

  test('that could not be set up refuses waiting and later jobs, and says why', async () => {
    const engine = client();
    const events = collect(iterated(engine).run(JOB, NEVER));
    const { data: error } = serverError('webgpu_unavailable', 'No WebGPU here.');
    channel.port2.postMessage({ type: 'refused', error });
    await expect(events).rejects.toMatchObject({ data: error });
    await expect(engine.ready).rejects.toMatchObject({ data: error });
    await expect(collect(iterated(engine).run(JOB, NEVER))).rejects.toMatchObject({ data: error });
  });

  test('is told to stop everything when the client closes', async () => {
    const engine = clientOf(helloForEver);
    const events = iterated(engine).run(JOB, NEVER);
    await events.next();
    engine.close();
    await expect(events.next()).rejects.toMatchObject({ data: { code: 'engine_error' } });
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
  });

  test('ignores messages about unknown jobs', async () => {
    const engine = clientOf(hello);
    channel.port1.postMessage({ type: 'cancel', id: 4711 } satisfies ToHost);
    expect(await collect(iterated(engine).run(JOB, NEVER))).toBe('Hello');
  });

  test('may send events of jobs that the client has forgotten', async () => {
    const engine = clientOf(hello);
    channel.port2.postMessage({ type: 'event', id: 4711, event: text('lost') });
    channel.port2.postMessage({ type: 'done', id: 4711 });
    expect(await collect(iterated(engine).run(JOB, NEVER))).toBe('Hello');
  });
});
