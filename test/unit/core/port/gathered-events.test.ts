import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EngineClient } from '../../../../src/core/port/engine-client.ts';
import { serveEngine } from '../../../../src/core/port/engine-host.ts';
import { engineOf } from '../../../../src/core/port/engine.ts';
import { serverError } from '../../../../src/core/errors/errors.ts';
import type { EmbedEvent } from '../../../../src/core/operations/events/events.ts';
import type { EmbedJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { iterated } from '../../support/sinks.ts';
import { NEVER } from '../../support/never.ts';

const EMBED: EmbedJob = { op: 'embed', model: 'm', texts: ['a', 'b'] };
const END: EmbedEvent = { type: 'embedded' };
const vectors = (place: number): EmbedEvent => ({
  type: 'vectors',
  places: [place],
  values: new Float32Array(2),
  tokens: 3,
});

let channel: MessageChannel;
let signals: AbortSignal[];

beforeEach(() => {
  channel = new MessageChannel();
  signals = [];
});

afterEach(() => channel.port1.close());

/** A client whose host runs an embedder that does this. */
function clientOf(run: (signal: AbortSignal) => AsyncIterable<EmbedEvent>): EngineClient {
  const engine = engineOf<'embed'>({
    embed: (_job, signal) => {
      signals.push(signal);
      return run(signal);
    },
  });
  const watch = () => undefined;
  serveEngine(channel.port2, engine, { watch });
  return new EngineClient(channel.port1, 'the-lock', {
    hold: () => Promise.resolve(watch),
    watch,
  });
}

test('an embedding is one message, and gives its events in order', async () => {
  const post = vi.spyOn(channel.port2, 'postMessage');
  const engine = clientOf(async function* () {
    yield vectors(1);
    yield vectors(0);
    yield END;
  });
  await engine.ready;
  post.mockClear();
  const events = await Array.fromAsync(iterated(engine).run(EMBED, NEVER));
  expect(events).toEqual([vectors(1), vectors(0), END]);
  expect(post).toHaveBeenCalledOnce();
});

test('an embedding that fails gives the events before its failure', async () => {
  const engine = clientOf(async function* () {
    yield vectors(0);
    throw serverError('out_of_memory', 'No room.');
  });
  const events = iterated(engine).run(EMBED, NEVER);
  expect(await events.next()).toEqual({ value: vectors(0), done: false });
  await expect(events.next()).rejects.toMatchObject({ data: { code: 'out_of_memory' } });
});

test('an embedding that is cancelled among gathered events throws the reason, and the engine stops', async () => {
  const engine = clientOf(async function* (signal) {
    yield vectors(0);
    yield vectors(1);
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener('abort', () => reject(signal.reason));
    await promise;
  });
  const controller = new AbortController();
  const events = iterated(engine).run(EMBED, controller.signal);
  expect(await events.next()).toEqual({ value: vectors(0), done: false });
  controller.abort(new Error('enough'));
  // Events that have arrived are still delivered.
  expect(await events.next()).toEqual({ value: vectors(1), done: false });
  await expect(events.next()).rejects.toThrow('enough');
  await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true));
});
