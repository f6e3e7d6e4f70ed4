import { afterEach, describe, expect, test, vi } from 'vitest';
import { deliveryOf } from '../../../src/core/operations/delivered-answer.ts';
import { EngineClient } from '../../../src/core/port/engine-client.ts';
import type { GenerateEvent } from '../../../src/core/operations/events/events.ts';
import type { ApiOperation } from '../../../src/core/operations/jobs/jobs.ts';
import { rateLimited } from '../../../src/core/errors/errors.ts';
import { surviving } from '../../../src/core/port/survive.ts';
import { serveEngine } from '../../../src/core/port/engine-host.ts';
import { MODEL, openApi, type ApiEngine, type TestApi } from '../support/api.ts';
import { chunksOf } from '../support/read.ts';
import { finish, text } from '../support/test-engine.ts';

// Thousands of messages take a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], stream: true };
/** More tokens than may wait unread. */
const PIECES = Array.from({ length: 4_000 }, (_, index) => ` ${index}`);
const WHOLE = PIECES.join('');
const LONG: GenerateEvent[] = [...PIECES.map(text), finish()];

let channel: MessageChannel | undefined;

/** The engine behind a port, as in the browser. */
function overAPort(engine: ApiEngine): ApiEngine {
  channel = new MessageChannel();
  serveEngine(channel.port2, paced(engine), { watch: () => undefined });
  const client = new EngineClient(channel.port1, 'engine-lock', {
    hold: () => Promise.resolve(() => undefined),
    watch: () => undefined,
  });
  return { run: surviving<ApiOperation>(() => Promise.resolve(client), deliveryOf) };
}

/** Wraps an engine with pauses, in which a cancel can reach it. */
function paced(engine: ApiEngine): ApiEngine {
  return {
    run(job, signal, take) {
      let count = 0;
      return engine.run(job, signal, async (event) => {
        await take(event);
        if (++count % 100 === 0) await new Promise((resolve) => setTimeout(resolve));
      });
    },
  };
}

afterEach(() => channel?.port1.close());

function untilLetGo({ engine }: TestApi): Promise<void> {
  return vi.waitFor(() => expect(engine.last.ended).toBe(true));
}

async function textOf(response: Response): Promise<string> {
  const chunks = await chunksOf(response);
  return chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
}

describe('an answer that nobody reads', () => {
  test('releases the engine before its end, and is whole when it is read later', async () => {
    const api = await openApi({ via: overAPort });
    api.engine.always(...LONG);
    const response = await api.post('/chat/completions', CHAT);
    await untilLetGo(api);
    const [first] = api.engine.runs;
    expect(first?.signal.aborted).toBe(true);
    expect(await textOf(response)).toBe(WHOLE);
    expect(api.engine.runs.length).toBeGreaterThan(1);
  });

  test('continues with the output so far and the same seed', async () => {
    const api = await openApi({ via: overAPort });
    const written = PIECES.flatMap((piece, index): GenerateEvent[] => [
      { type: 'written', piece: { text: piece, tokens: index + 1 } },
      text(piece),
    ]);
    api.engine.always(...written, finish());
    const response = await api.post('/chat/completions', CHAT);
    await untilLetGo(api);
    expect(await textOf(response)).toBe(WHOLE);
    const [first, second] = api.engine.runs.map(({ job }) => job);
    expect(first?.written).toEqual([]);
    expect(second?.written?.length).toBeGreaterThan(100);
    expect(second?.sampling.seed).toBe(first?.sampling.seed);
  });

  test('can be cancelled like one that is read', async () => {
    const api = await openApi({ via: overAPort });
    api.engine.always(...LONG);
    const response = await api.post('/chat/completions', CHAT);
    await untilLetGo(api);
    await response.body?.cancel();
    // The engine gets no further job for it.
    await new Promise((resolve) => setTimeout(resolve));
    expect(api.engine.runs).toHaveLength(1);
  });

  test('waits for a place if the queue is full when it continues', async () => {
    const api = await openApi({ via: overAPort });
    api.engine.always(...LONG);
    const response = await api.post('/chat/completions', CHAT);
    await untilLetGo(api);
    api.engine.next(rateLimited('Too many.', 1));
    api.engine.next(rateLimited('Too many.', 1));
    expect(await textOf(response)).toBe(WHOLE);
    expect(api.engine.runs.length).toBeGreaterThan(3);
  });
});

test('a slow reader gets its answer from one run', async () => {
  const api = await openApi({ via: overAPort });
  const { promise, resolve } = Promise.withResolvers<void>();
  api.engine.always(...LONG.slice(0, 500), promise, ...LONG.slice(500, 900), finish());
  const response = await api.post('/chat/completions', CHAT);
  resolve();
  expect(await textOf(response)).toBe(PIECES.slice(0, 900).join(''));
  expect(api.engine.runs).toHaveLength(1);
});

test('an answer that is refused at first is not retried', async () => {
  const api = await openApi({ via: overAPort });
  api.engine.next(rateLimited('Too many.', 1));
  const response = await api.post('/chat/completions', CHAT);
  expect(response.status).toBe(429);
  expect(api.engine.runs).toHaveLength(1);
});
