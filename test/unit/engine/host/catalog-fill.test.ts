import { beforeEach, expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { CatalogFill } from '../../../../src/engine/host/catalog-fill.ts';
import type { Job } from '../../../../src/core/operations/jobs.ts';
import { NEVER } from '../../support/never.ts';

const OWN: CatalogEntry = {
  id: 'own',
  task: 'chat',
  ownedBy: 'me',
  created: 0,
  features: [],
  contextLength: 1,
  variants: [],
};

/** What happened, in order. */
let log: string[];
let packs: () => Promise<CatalogEntry[] | undefined>;
let rest: () => Promise<void>;

beforeEach(() => {
  log = [];
  packs = async () => {
    log.push('packs');
    return [OWN];
  };
  rest = async () => void log.push('rest');
});

async function open() {
  const tidy = async () => void log.push('tidy');
  const fill = new CatalogFill({ packs: () => packs(), rest: () => rest(), tidy });
  await fill.begin();
  const run = (job: Job, signal = NEVER) =>
    fill.ready({ job, signal }, async () => void log.push(job.op));
  return { fill, run };
}

test('jobs for models of packs do not wait for the rest of the catalog', async () => {
  rest = () => new Promise(() => undefined);
  const { run } = await open();
  await run({ op: 'add', source: 'own' });
  await run({ op: 'install', model: 'own', load: true });
  expect(log).toEqual(['packs', 'add', 'install']);
});

test('other jobs wait for it, and it is filled once', async () => {
  const { run } = await open();
  await run({ op: 'load', model: 'of/the-hub' });
  await run({ op: 'device' });
  await run({ op: 'install', model: 'own' });
  expect(log).toEqual(['packs', 'rest', 'tidy', 'load', 'device', 'install']);
});

test('a job that waits can be aborted', async () => {
  rest = () => new Promise(() => undefined);
  const { run } = await open();
  const aborting = new AbortController();
  const running = run({ op: 'list' }, aborting.signal);
  aborting.abort(new Error('enough'));
  await expect(running).rejects.toThrow('enough');
  expect(log).toEqual(['packs']);
});

test('what failed is tried again with the next job', async () => {
  let failures = 1;
  rest = async () => {
    log.push('rest');
    if (failures-- > 0) throw new Error('The disk is full.');
  };
  const { run } = await open();
  await expect(run({ op: 'list' })).rejects.toThrow('The disk is full.');
  await run({ op: 'list' });
  expect(log).toEqual(['packs', 'rest', 'rest', 'tidy', 'list']);
});

test('a site that cannot be reached is asked again by the next client, not by each job', async () => {
  packs = async () => void log.push('packs');
  const { fill, run } = await open();
  await run({ op: 'list' });
  await run({ op: 'list' });
  expect(log).toEqual(['packs', 'rest', 'tidy', 'list', 'list']);
  await fill.begin();
  expect(log.filter((each) => each === 'packs')).toHaveLength(2);
});

test('after the database was deleted, everything is filled again, and what downloads store stays', async () => {
  const { fill } = await open();
  await fill.again();
  expect(log).toEqual(['packs', 'packs', 'rest']);
});
