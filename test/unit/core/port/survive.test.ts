import { afterEach, describe, expect, test, vi } from 'vitest';
import { deliveryOf } from '../../../../src/core/operations/delivered-answer.ts';
import { EngineClient } from '../../../../src/core/port/engine-client.ts';
import { engineOf } from '../../../../src/core/port/engine.ts';
import type { GenerateEvent } from '../../../../src/core/operations/events/events.ts';
import type { ApiOperation, GenerateJob } from '../../../../src/core/operations/jobs/jobs.ts';
import {
  EngineLost,
  invalidRequest,
  rateLimited,
  serverError,
} from '../../../../src/core/errors/errors.ts';
import type { FromHost } from '../../../../src/core/port/port-messages.ts';
import { surviving } from '../../../../src/core/port/survive.ts';
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
const HANG = new Promise<never>(() => undefined);
const text = (piece: string): GenerateEvent => ({ type: 'text', text: piece });
const broken = () => {
  const { data } = serverError('engine_error', 'The device was lost.');
  return new EngineLost(data, { broke: true });
};

type Script = (job: GenerateJob) => AsyncGenerator<GenerateEvent>;

const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

type Connect = Parameters<typeof surviving>[0];

/** Engines, each behind its own port, that are used one after the other. */
function engines(...scripts: Script[]) {
  const jobs: GenerateJob[] = [];
  /** The messages that the clients have received. */
  const received: FromHost[] = [];
  /** Ends the engine that was connected last, as a tab that closes does. */
  let end: () => void = () => undefined;
  let made = 0;
  /** Web Lock of an engine that hung. */
  let hung: string | undefined;
  const connect = vi.fn(() => {
    const script = scripts.shift();
    if (!script) return Promise.reject(serverError('engine_error', 'No engine is left.'));
    const engine = engineOf<'generate'>({
      generate(job) {
        jobs.push(job);
        return script(job);
      },
    });
    const { port1, port2 } = new MessageChannel();
    ports.push(port1);
    serveEngine(port2, engine, { watch: () => undefined, hung });
    const lock = `engine ${++made}`;
    const client = new EngineClient(port1, lock, {
      hold: () => Promise.resolve(() => undefined),
      watch: (_name, onReleased) => (end = onReleased),
    });
    port1.addEventListener('message', ({ data }: MessageEvent<FromHost | FromHost[]>) => {
      received.push(...[data].flat());
    });
    return Promise.resolve(client);
  });
  const endHung = () => {
    hung = `engine ${made}`;
    end();
  };
  return {
    connect,
    jobs,
    end: () => end(),
    endHung,
    count: (type: FromHost['type']) => received.filter((each) => each.type === type).length,
  };
}

/** Answers a job on these engines. */
function answerOn({ connect }: { connect: Connect }, signal: AbortSignal, job: GenerateJob = JOB) {
  return iterated<ApiOperation>({ run: surviving<ApiOperation>(connect, deliveryOf) }).run(
    job,
    signal,
  );
}

async function textOf(events: AsyncIterable<GenerateEvent>, onPiece?: (text: string) => void) {
  let all = '';
  for await (const event of events) {
    if (event.type !== 'text') continue;
    all += event.text;
    onPiece?.(event.text);
  }
  return all;
}

async function* oneTwo(): AsyncGenerator<GenerateEvent> {
  yield text('one ');
  yield text('two');
}

async function* oneThenHangs(): AsyncGenerator<GenerateEvent> {
  yield text('one ');
  await HANG;
}

async function* breaks(): AsyncGenerator<GenerateEvent> {
  yield text('one ');
  throw broken();
}

describe('a job whose engine ends', () => {
  test('continues on the next one, as the same job with the same seed', async () => {
    const site = engines(oneThenHangs, oneTwo);
    const endFirst = (piece: string) => {
      if (piece === 'one ') site.end();
    };
    expect(await textOf(answerOn(site, NEVER), endFirst)).toBe('one two');
    expect(site.jobs).toHaveLength(2);
    expect(site.jobs[1]).toEqual({ ...site.jobs[0], automatic: true });
  });

  test('is not repeated when the engine hung on it', async () => {
    const site = engines(oneThenHangs, oneTwo);
    const answer = textOf(answerOn(site, NEVER), site.endHung);
    await expect(answer).rejects.toMatchObject({ data: { status: 500, code: 'timeout' } });
    expect(site.jobs).toHaveLength(1);
  });

  test('is repeated when the engine hung while the job waited for its turn', async () => {
    const site = engines(async function* () {
      yield { type: 'queued', before: 1 };
      await HANG;
    }, oneTwo);
    const answer = textOf(answerOn(site, NEVER));
    await vi.waitFor(() => expect(site.jobs).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve));
    site.endHung();
    expect(await answer).toBe('one two');
  });

  test('is repeated when the engine hung on another one, which had no event', async () => {
    const site = engines(async function* ({ prompt }) {
      if (prompt.kind === 'raw' && prompt.text === 'Hi') yield text('one ');
      await HANG;
    }, oneTwo);
    const only = await site.connect();
    const client = () => Promise.resolve(only);
    const next = vi.fn(client).mockImplementationOnce(client).mockImplementation(site.connect);
    const silent: GenerateJob = { ...JOB, prompt: { kind: 'raw', text: 'Hangs' } };
    const hanging = textOf(answerOn({ connect: client }, NEVER, silent));
    const failure = expect(hanging).rejects.toThrow();
    await vi.waitFor(() => expect(site.jobs).toHaveLength(1));
    const answer = textOf(answerOn({ connect: next }, NEVER), (piece) => {
      if (piece === 'one ') site.endHung();
    });
    expect(await answer).toBe('one two');
    await failure;
  });

  test('fails when no other engine is left', async () => {
    const site = engines(oneThenHangs);
    await expect(textOf(answerOn(site, NEVER), site.end)).rejects.toThrow('No engine');
  });

  test('fails when several engines in a row end without anything new', async () => {
    const site = engines(...Array<Script>(9).fill(oneThenHangs));
    const answer = textOf(answerOn(site, NEVER));
    const outcome = expect(answer).rejects.toMatchObject({ data: { code: 'engine_error' } });
    for (let engine = 1; engine <= 5; engine++) {
      await vi.waitFor(() => expect(site.count('event')).toBe(engine));
      site.end();
    }
    await outcome;
    expect(site.connect).toHaveBeenCalledTimes(5);
  });

  test('is not started again after it was cancelled', async () => {
    const controller = new AbortController();
    const site = engines(oneThenHangs, oneTwo);
    const answer = textOf(answerOn(site, controller.signal), () => {
      controller.abort(new Error('enough'));
      site.end();
    });
    await expect(answer).rejects.toThrow('enough');
    expect(site.connect).toHaveBeenCalledOnce();
  });
});

describe('a job whose engine breaks', () => {
  test('is retried once, when the broken engine is gone', async () => {
    const site = engines(breaks, oneTwo);
    const answer = textOf(answerOn(site, NEVER));
    await vi.waitFor(() => expect(site.count('failed')).toBe(1));
    expect(site.connect).toHaveBeenCalledOnce();
    site.end();
    expect(await answer).toBe('one two');
  });

  test('fails with that error when it happens again', async () => {
    const site = engines(breaks, breaks, oneTwo);
    const answer = textOf(answerOn(site, NEVER));
    const outcome = expect(answer).rejects.toMatchObject({
      data: { code: 'engine_error', message: 'The device was lost.' },
    });
    await vi.waitFor(() => expect(site.count('failed')).toBe(1));
    site.end();
    await outcome;
    expect(site.connect).toHaveBeenCalledTimes(2);
  });
});

test('a job that fails by itself is not retried', async () => {
  // oxlint-disable-next-line require-yield
  const site = engines(async function* () {
    throw invalidRequest('Too long.');
  }, oneTwo);
  await expect(textOf(answerOn(site, NEVER))).rejects.toThrow('Too long.');
  expect(site.connect).toHaveBeenCalledOnce();
});

test('an answer that was not read continues when it is read, and ends if its reader then refuses it', async () => {
  async function* many(): AsyncGenerator<GenerateEvent> {
    for (let index = 0; index < 1_100; index++) yield text(`${index} `);
  }
  const site = engines(many, many, many);
  const gate = Promise.withResolvers<void>();
  let pieces = 0;
  const run = surviving<ApiOperation>(site.connect, deliveryOf);
  const answer = run(JOB, NEVER, async () => {
    await gate.promise;
    // The budget of a key is used up: the engine's queue has refused nothing.
    if (++pieces === 1_050) throw rateLimited('No tokens left.', 1);
  });
  await vi.waitFor(() => expect(site.jobs).toHaveLength(1));
  // All messages that are under way arrive before this one.
  await new Promise((resolve) => setTimeout(resolve));
  gate.resolve();
  await expect(answer).rejects.toThrow('No tokens left.');
  expect(site.jobs).toHaveLength(2);
});
