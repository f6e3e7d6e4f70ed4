import { expect, test } from 'vitest';
import type { JobEvent } from '../../../../src/core/operations/events/events.ts';
import type { EmbedJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { EngineClient } from '../../../../src/core/port/engine-client.ts';
import { engineOf } from '../../../../src/core/port/engine.ts';
import type { EngineConfig } from '../../../../src/core/realms/messages.ts';
import { serveJobs } from '../../../../src/engine/workers/serve-worker.ts';
import { NEVER } from '../../support/never.ts';

const embed: EmbedJob = { op: 'embed', model: 'a', texts: [], role: 'document' };

/** A worker whose jobs compute until they are let go. `begun` and `ended` count them. */
async function openWorker() {
  const begun: (() => void)[] = [];
  let ended = 0;
  const receive = serveJobs('test', async () =>
    engineOf<'embed' | 'heap'>({
      async *embed() {
        yield { type: 'encoded' };
        await new Promise<void>((resolve) => begun.push(resolve));
        ended++;
        yield { type: 'embedded' };
      },
      async *heap() {
        yield { type: 'heap', bytes: 1 };
      },
    }),
  );
  const { port1, port2 } = new MessageChannel();
  const client = new EngineClient(port1);
  receive({ data: { type: 'slashv1:configure', config: { base: '' } as EngineConfig }, ports: [] });
  receive({ data: { type: 'slashv1:attach' }, ports: [port2] });
  await client.ready;
  return { client, begun, ended: () => ended };
}

/** Waits until the worker has got all messages: it answers this job at once. */
async function untilHeard(client: EngineClient): Promise<void> {
  await client.run<'heap'>({ op: 'heap' }, NEVER, () => undefined);
}

test('a job begins when the one before it has ended, although that was cancelled', async () => {
  const { client, begun, ended } = await openWorker();
  const controller = new AbortController();
  const first = client.run<'embed'>(embed, controller.signal, () => undefined);
  await expect.poll(() => begun.length).toBe(1);
  controller.abort();
  await expect(first).rejects.toThrow('aborted');

  const events: JobEvent['type'][] = [];
  const second = client.run<'embed'>(embed, NEVER, ({ type }) => void events.push(type));
  await untilHeard(client);
  expect(events).toEqual([]);
  begun[0]?.();
  await expect.poll(() => begun.length).toBe(2);
  expect(ended()).toBe(1);
  begun[1]?.();
  await second;
  expect(events).toEqual(['encoded', 'embedded']);
});

test('a job that is cancelled before its turn never begins', async () => {
  const { client, begun } = await openWorker();
  const first = client.run<'embed'>(embed, NEVER, () => undefined);
  await expect.poll(() => begun.length).toBe(1);
  const controller = new AbortController();
  const second = client.run<'embed'>(embed, controller.signal, () => undefined);
  controller.abort();
  await expect(second).rejects.toThrow('aborted');
  const third = client.run<'embed'>(embed, NEVER, () => undefined);
  await untilHeard(client);
  begun[0]?.();
  await first;
  await expect.poll(() => begun.length).toBe(2);
  begun[1]?.();
  await third;
  expect(begun.length).toBe(2);
});
