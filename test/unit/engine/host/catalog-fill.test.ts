import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import { CatalogStore } from '../../../../src/core/catalog/catalog-store.ts';
import { embeddedPacks } from '../../../../src/engine/download/installer/embedded-packs.ts';
import { CatalogFill } from '../../../../src/engine/host/catalog-fill.ts';
import type { Job } from '../../../../src/core/operations/jobs/jobs.ts';
import { emptyDatabase } from '../../support/database.ts';
import { installation, packEntry } from '../../support/entries.ts';
import { startServer } from '../../support/servers/http-server.ts';
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
let installed: string[];

beforeEach(() => {
  log = [];
  installed = [];
  packs = async () => {
    log.push('packs');
    return [OWN];
  };
  rest = async () => void log.push('rest');
});

async function open() {
  const tidy = async () => void log.push('tidy');
  const fill = new CatalogFill({
    installed: async () => installed,
    packs: () => packs(),
    rest: () => rest(),
    tidy,
  });
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

test('a page that comes to a running engine does not wait while stored data are read again', async () => {
  let reading = Promise.resolve(['own']);
  const fill = new CatalogFill({
    installed: () => reading,
    packs: () => packs(),
    rest: () => rest(),
    tidy: async () => undefined,
  });
  await fill.begin();
  const { promise, resolve } = Promise.withResolvers<string[]>();
  reading = promise;
  await fill.begin();
  packs = () => Promise.reject(new Error('offline'));
  const signal = NEVER;
  const ran = vi.fn(() => Promise.resolve());
  await fill.ready({ job: { op: 'load', model: 'own' }, signal }, ran);
  expect(ran).toHaveBeenCalledOnce();
  resolve(['own', 'new']);
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

describe('where a model is installed', () => {
  /** What the site has to say, held back. */
  let answer: PromiseWithResolvers<CatalogEntry[] | undefined>;

  beforeEach(() => {
    installed = ['stored'];
    answer = Promise.withResolvers();
    packs = () => answer.promise;
  });

  test('it is served at once, as is what is for no model, although the site answers nothing', async () => {
    const { run } = await open();
    await run({ op: 'load', model: 'stored' });
    await run({ op: 'device' });
    expect(log).toEqual(['load', 'device']);
  });

  test('other models are served when the site has told its packs, the hub’s after the rest', async () => {
    const { run } = await open();
    const own = run({ op: 'install', model: 'own' });
    const other = run({ op: 'install', model: 'of/the-hub' });
    await run({ op: 'load', model: 'stored' });
    expect(log).toEqual(['load']);
    answer.resolve([OWN]);
    await Promise.all([own, other]);
    expect(log.toSorted()).toEqual(['install', 'install', 'load', 'rest', 'tidy']);
  });

  test('a list of packs that cannot be read refuses nobody', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { run } = await open();
    answer.reject(new Error('packs/index.json is no list.'));
    await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce());
    await run({ op: 'load', model: 'stored' });
    expect(log).toEqual(['load']);
    warn.mockRestore();
  });
});

test('an installed model answers on a site whose server answers nothing', async () => {
  const held = Promise.withResolvers<void>();
  const site = await startServer({ '/packs/index.json': () => held.resolve() });
  const catalog = new CatalogStore(emptyDatabase());
  await catalog.put(packEntry('stored', 'r1', { installed: installation('r1') }));
  const ending = new AbortController();
  const fill = new CatalogFill({
    installed: async () => (await catalog.list()).map(({ id }) => id),
    packs: () => embeddedPacks(site.url, ending.signal),
    rest: () => rest(),
    tidy: async () => undefined,
  });
  await fill.begin();
  await held.promise;
  const job: Job = { op: 'load', model: 'stored' };
  await fill.ready({ job, signal: NEVER }, async () => void log.push(job.op));
  expect(log).toEqual(['load']);
  ending.abort();
  await vi.waitFor(() => expect(log).toEqual(['load', 'rest']));
});

test('a job that waits for the lists is answered after them, or when they cannot be read', async () => {
  installed = ['stored'];
  const { run } = await open();
  await run({ op: 'device', settled: true });
  expect(log.at(-1)).toBe('device');
  expect(log).toContain('rest');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  packs = () => Promise.reject(new Error('packs/index.json is no list.'));
  log = [];
  await (await open()).run({ op: 'device', settled: true });
  expect(log).toEqual(['device']);
  warn.mockRestore();
});
