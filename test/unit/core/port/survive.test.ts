import { afterEach, describe, expect, test, vi } from 'vitest';
import { DeliveredAnswer } from '../../../../src/core/operations/delivered-answer.ts';
import { EngineClient } from '../../../../src/core/port/engine-client.ts';
import { engineOf } from '../../../../src/core/port/engine.ts';
import type { GenerateEvent } from '../../../../src/core/operations/events.ts';
import type { GenerateJob } from '../../../../src/core/operations/jobs.ts';
import { EngineLost, invalidRequest, serverError } from '../../../../src/core/errors/errors.ts';
import { survive } from '../../../../src/core/port/survive.ts';
import { serveEngine } from '../../../../src/core/port/engine-host.ts';
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

/** Engines, each behind its own port, that are used one after the other. */
function engines(...scripts: Script[]) {
  const jobs: GenerateJob[] = [];
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
    return Promise.resolve(client);
  });
  const endHung = () => {
    hung = `engine ${made}`;
    end();
  };
  return { connect, jobs, end: () => end(), endHung };
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
    expect(await textOf(survive(site.connect, new DeliveredAnswer(JOB), NEVER), endFirst)).toBe(
      'one two',
    );
    expect(site.jobs).toHaveLength(2);
    expect(site.jobs[1]).toEqual({ ...site.jobs[0], automatic: true });
  });

  test('is not repeated when the engine hung on it', async () => {
    const site = engines(oneThenHangs, oneTwo);
    const answer = textOf(survive(site.connect, new DeliveredAnswer(JOB), NEVER), site.endHung);
    await expect(answer).rejects.toMatchObject({ data: { status: 500, code: 'timeout' } });
    expect(site.jobs).toHaveLength(1);
  });

  test('is repeated when the engine hung while the job waited for its turn', async () => {
    const site = engines(async function* () {
      yield { type: 'queued', before: 1 };
      await HANG;
    }, oneTwo);
    const answer = textOf(survive(site.connect, new DeliveredAnswer(JOB), NEVER));
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
    const hanging = textOf(survive(client, new DeliveredAnswer(silent), NEVER));
    const failure = expect(hanging).rejects.toThrow();
    await vi.waitFor(() => expect(site.jobs).toHaveLength(1));
    const answer = textOf(survive(next, new DeliveredAnswer(JOB), NEVER), (piece) => {
      if (piece === 'one ') site.endHung();
    });
    expect(await answer).toBe('one two');
    await failure;
  });

  test('fails when no other engine is left', async () => {
    const site = engines(oneThenHangs);
    await expect(
      textOf(survive(site.connect, new DeliveredAnswer(JOB), NEVER), site.end),
    ).rejects.toThrow('No engine');
  });

  test('fails when several engines in a row end without anything new', async () => {
    const site = engines(...Array<Script>(9).fill(oneThenHangs));
    const answer = textOf(survive(site.connect, new DeliveredAnswer(JOB), NEVER));
    const outcome = expect(answer).rejects.toMatchObject({ data: { code: 'engine_error' } });
    for (let engine = 1; engine <= 5; engine++) {
      await vi.waitFor(() => expect(site.jobs).toHaveLength(engine));
      site.end();
    }
    await outcome;
    expect(site.connect).toHaveBeenCalledTimes(5);
  });

  test('is not started again after it was cancelled', async () => {
    const controller = new AbortController();
    const site = engines(oneThenHangs, oneTwo);
    const answer = textOf(
      survive(site.connect, new DeliveredAnswer(JOB), controller.signal),
      () => {
        controller.abort(new Error('enough'));
        site.end();
      },
    );
    await expect(answer).rejects.toThrow('enough');
    expect(site.connect).toHaveBeenCalledOnce();
  });
});

describe('a job whose engine breaks', () => {
  test('is retried once, when the broken engine is gone', async () => {
    const site = engines(breaks, oneTwo);
    const answer = textOf(survive(site.connect, new DeliveredAnswer(JOB), NEVER));
    await vi.waitFor(() => expect(site.jobs).toHaveLength(1));
    expect(site.connect).toHaveBeenCalledOnce();
    site.end();
    expect(await answer).toBe('one two');
  });

  test('fails with that error when it happens again', async () => {
    const site = engines(breaks, breaks, oneTwo);
    const answer = textOf(survive(site.connect, new DeliveredAnswer(JOB), NEVER));
    const outcome = expect(answer).rejects.toMatchObject({
      data: { code: 'engine_error', message: 'The device was lost.' },
    });
    await vi.waitFor(() => expect(site.jobs).toHaveLength(1));
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
  await expect(textOf(survive(site.connect, new DeliveredAnswer(JOB), NEVER))).rejects.toThrow(
    'Too long.',
  );
  expect(site.connect).toHaveBeenCalledOnce();
});
