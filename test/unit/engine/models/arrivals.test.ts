import { expect, test, vi } from 'vitest';
import { serverError } from '../../../../src/core/errors/errors.ts';
import { Arrivals } from '../../../../src/engine/models/arrivals.ts';
import type { Receiver } from '../../../../src/engine/download/transfer/receiver.ts';
import type { InstalledModel } from '../../../../src/engine/download/installer/installed-model.ts';
import type { GenerateJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { chatJob } from '../../support/servers/engine-site.ts';
import { ggufVariant, installation, packEntry } from '../../support/entries.ts';

const MODEL: InstalledModel = {
  entry: packEntry('m'),
  installation: installation('r1'),
  contextLength: 64,
  variant: ggufVariant('m', { needs: { memoryBytes: 7 } }),
};
const JOB = {};

interface Site {
  hasRoom?: boolean;
  canReceive?: boolean;
  check?: () => Promise<void>;
}

function open({ hasRoom = true, canReceive = true, check = async () => undefined }: Site = {}) {
  const taken = vi.fn<Receiver['take']>();
  const giveUp = vi.fn<() => void>();
  const expectJob = vi.fn<(job: GenerateJob) => void>();
  const release = vi.fn<() => void>();
  const reserve = vi.fn<(bytes: number) => Promise<(() => void) | undefined>>(async () =>
    hasRoom ? release : undefined,
  );
  const arrivals = new Arrivals({
    backend: {
      load: () => Promise.reject(new Error('Nothing is loaded here.')),
      receive: () => (canReceive ? { take: taken, giveUp, expect: expectJob } : undefined),
    },
    memory: { reserve },
    loads: { check },
  });
  return { arrivals, taken, giveUp, release, reserve, expectJob };
}

test('a model gets the bytes of its download, in memory that is set aside for it', async () => {
  const { arrivals, taken, reserve } = open();
  const receiver = await arrivals.receive(MODEL, JOB);
  await receiver?.take('m.gguf', [Uint8Array.of(1)]);
  expect(reserve).toHaveBeenCalledWith(7);
  expect(taken).toHaveBeenCalledWith('m.gguf', [Uint8Array.of(1)]);
});

test('nothing is received without room, or after a load that ended the tab', async () => {
  expect(await open({ hasRoom: false }).arrivals.receive(MODEL, JOB)).toBeUndefined();
  const check = () => Promise.reject(serverError('load_crashed', 'It ended the tab.'));
  const { arrivals, reserve } = open({ check });
  expect(await arrivals.receive(MODEL, JOB)).toBeUndefined();
  expect(reserve).not.toHaveBeenCalled();
});

test('an engine that cannot receive needs no memory', async () => {
  const { arrivals, release } = open({ canReceive: false });
  expect(await arrivals.receive(MODEL, JOB)).toBeUndefined();
  expect(release).toHaveBeenCalledOnce();
});

test('what a job does not load is given up when the job ends, and its memory is free', async () => {
  const { arrivals, giveUp, release } = open();
  await arrivals.receive(MODEL, JOB);
  arrivals.drop('m', {});
  expect(giveUp).not.toHaveBeenCalled();
  arrivals.drop('m', JOB);
  arrivals.drop('m', JOB);
  expect(giveUp).toHaveBeenCalledOnce();
  expect(release).toHaveBeenCalledOnce();
});

test('what is loaded is not given up, and its memory is counted there', async () => {
  const { arrivals, giveUp, release } = open();
  await arrivals.receive(MODEL, JOB);
  arrivals.land('m');
  arrivals.drop('m', JOB);
  expect(release).toHaveBeenCalledOnce();
  expect(giveUp).not.toHaveBeenCalled();
});

test.each(['before', 'after'])(
  'a model learns what it will be asked, if that comes %s its first byte',
  async (when) => {
    const { arrivals, expectJob } = open();
    const job = chatJob('m', 'Hi');
    if (when === 'before') arrivals.expect(job);
    await arrivals.receive(MODEL, JOB);
    if (when === 'after') arrivals.expect(job);
    arrivals.expect(chatJob('m', 'And then?'));
    arrivals.expect({ ...job, model: 'another' });
    expect(expectJob.mock.calls).toEqual([[job]]);
  },
);

test('a job that has ended is not expected', async () => {
  const { arrivals, expectJob } = open();
  const [ended, next] = [chatJob('m', 'Hi'), chatJob('m', 'Hello')];
  arrivals.expect(ended);
  arrivals.drop('m', ended);
  arrivals.expect(next);
  await arrivals.receive(MODEL, JOB);
  expect(expectJob.mock.calls).toEqual([[next]]);
});
