import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { engineOf } from '../../../../src/core/port/engine.ts';
import type { GenerateEvent } from '../../../../src/core/operations/events/events.ts';
import type { GenerateJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { serveEngine } from '../../../../src/core/port/engine-host.ts';
import { EngineLink } from '../../../../sw/worker/engine-link.ts';
import { iterated } from '../../support/sinks.ts';
import { NEVER } from '../../support/never.ts';

const JOB: GenerateJob = {
  op: 'generate',
  model: 'm',
  prompt: { kind: 'raw', text: 'Hi' },
  sampling: {},
  stop: [],
};
const SCOPE = 'https://site.example/';
const channels: MessageChannel[] = [];
/** Names of the Web Locks that somebody holds. */
const held = new Set<string>();
const lockWatchers = new Map<string, () => void>();

beforeEach(() => {
  // Watchers ask for a shared lock; holders pass no options.
  const request = (name: string, _options: unknown, onReleased?: () => void) => {
    if (onReleased) lockWatchers.set(name, onReleased);
    return new Promise(() => undefined);
  };
  const query = () => Promise.resolve({ held: [...held].map((name) => ({ name })) });
  held.clear();
  vi.stubGlobal('navigator', { locks: { request, query } });
});

afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close();
  vi.useRealTimers();
});

/** A port to a host that answers with this text. */
function portTo(text: string): [MessagePort, string] {
  const channel = new MessageChannel();
  channels.push(channel);
  const engine = engineOf<'generate'>({
    async *generate() {
      yield { type: 'text', text };
    },
  });
  serveEngine(channel.port2, engine, { watch: () => undefined });
  return [channel.port1, `lock of ${text}`];
}

async function textOf(events: AsyncIterable<GenerateEvent>): Promise<string> {
  let text = '';
  for await (const event of events) if (event.type === 'text') text += event.text;
  return text;
}

describe('the service worker’s link to the engine', () => {
  test('asks the pages for a port when it has none, and uses it from then on', async () => {
    const askForPort = vi.fn(() => {
      queueMicrotask(() => link.accept(...portTo('one')));
      return Promise.resolve(1);
    });
    const link: EngineLink = new EngineLink({ scope: SCOPE, askForPort });
    expect(await textOf(iterated(link).run(JOB, NEVER))).toBe('one');
    expect(await textOf(iterated(link).run(JOB, NEVER))).toBe('one');
    expect(askForPort).toHaveBeenCalledOnce();
  });

  test('fails at once when the leader’s engine cannot start, and asks again for the next job', async () => {
    const why = 'engine.js is missing.';
    const askForPort = vi
      .fn(() => {
        link.accept(...portTo('mended'));
        return Promise.resolve(1);
      })
      .mockImplementationOnce(() => {
        link.refuse(why);
        return Promise.resolve(1);
      });
    const link: EngineLink = new EngineLink({ scope: SCOPE, askForPort });
    await expect(textOf(iterated(link).run(JOB, NEVER))).rejects.toMatchObject({
      data: { status: 500, code: 'engine_error', message: why },
    });
    expect(await textOf(iterated(link).run(JOB, NEVER))).toBe('mended');
  });

  test('keeps its port to an engine when another page brings one, and closes that', async () => {
    const link = new EngineLink({ scope: SCOPE, askForPort: () => Promise.resolve(1) });
    link.accept(...portTo('one'));
    const { port1, port2 } = new MessageChannel();
    const said = new Promise((resolve) => {
      port2.onmessage = ({ data }) => resolve(data);
    });
    link.accept(port1, 'lock of one');
    expect(await said).toEqual({ type: 'bye' });
    port2.close();
    expect(await textOf(iterated(link).run(JOB, NEVER))).toBe('one');
  });

  test('accepts a port that it did not ask for', async () => {
    const askForPort = vi.fn(() => Promise.resolve(1));
    const link = new EngineLink({ scope: SCOPE, askForPort });
    link.accept(...portTo('one'));
    expect(await textOf(iterated(link).run(JOB, NEVER))).toBe('one');
    expect(askForPort).not.toHaveBeenCalled();
  });

  test('uses the newest engine', async () => {
    const link = new EngineLink({ scope: SCOPE, askForPort: () => Promise.resolve(1) });
    link.accept(...portTo('old'));
    link.accept(...portTo('new'));
    expect(await textOf(iterated(link).run(JOB, NEVER))).toBe('new');
  });

  test('asks again when the engine’s tab is gone', async () => {
    const askForPort = vi.fn(() => {
      link.accept(...portTo('second'));
      return Promise.resolve(1);
    });
    const link: EngineLink = new EngineLink({ scope: SCOPE, askForPort });
    link.accept(...portTo('first'));
    expect(await textOf(iterated(link).run(JOB, NEVER))).toBe('first');
    lockWatchers.get('lock of first')?.();
    expect(await textOf(iterated(link).run(JOB, NEVER))).toBe('second');
    expect(askForPort).toHaveBeenCalledOnce();
  });

  test('serves all waiting jobs with one port', async () => {
    const link = new EngineLink({ scope: SCOPE, askForPort: () => Promise.resolve(1) });
    const answers = [
      textOf(iterated(link).run(JOB, NEVER)),
      textOf(iterated(link).run(JOB, NEVER)),
    ];
    await new Promise((resolve) => setImmediate(resolve));
    link.accept(...portTo('one'));
    expect(await Promise.all(answers)).toEqual(['one', 'one']);
  });

  test('fails at once when no page is open', async () => {
    const link = new EngineLink({ scope: SCOPE, askForPort: () => Promise.resolve(0) });
    await expect(textOf(iterated(link).run(JOB, NEVER))).rejects.toMatchObject({
      data: { status: 500, code: 'engine_error' },
      message: expect.stringContaining('No open page'),
    });
  });

  test('fails soon when no open page leads, and may succeed the next time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const link = new EngineLink({ scope: SCOPE, askForPort: () => Promise.resolve(1) });
    const outcome = expect(textOf(iterated(link).run(JOB, NEVER))).rejects.toThrow('No open page');
    await vi.advanceTimersByTimeAsync(2_000);
    await outcome;
    const answer = textOf(iterated(link).run(JOB, NEVER));
    link.accept(...portTo('late'));
    expect(await answer).toBe('late');
  });

  test('waits longer for a page that leads', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    held.add(`slashv1:leader:${SCOPE}`);
    const link = new EngineLink({ scope: SCOPE, askForPort: () => Promise.resolve(1) });
    const answer = textOf(iterated(link).run(JOB, NEVER));
    await vi.advanceTimersByTimeAsync(14_000);
    link.accept(...portTo('slow'));
    expect(await answer).toBe('slow');
  });

  test('starts nothing for a job that was cancelled while it waited', async () => {
    const controller = new AbortController();
    const link = new EngineLink({ scope: SCOPE, askForPort: () => Promise.resolve(1) });
    const answer = textOf(iterated(link).run(JOB, controller.signal));
    controller.abort(new Error('enough'));
    link.accept(...portTo('one'));
    await expect(answer).rejects.toThrow('enough');
  });
});
