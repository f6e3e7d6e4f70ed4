import { Metrics } from '../../../src/engine/host/metrics.ts';
import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../src/core/catalog/catalog-entry.ts';
import type { Engine } from '../../../src/core/port/engine.ts';
import type { JobOf } from '../../../src/core/operations/jobs.ts';
import { Router, type RoutedOperation } from '../../../src/engine/router.ts';
import { packEntry } from '../support/entries.ts';
import { NEVER } from '../support/never.ts';

const voice = { id: 'v', name: 'V', languages: ['en-US'] };

/** A router whose parts note what they are asked to do. */
function openRouter(): { router: Router; seen: string[] } {
  const seen: string[] = [];
  const engine = (name: string): Engine & { has(model: string): boolean } => ({
    has: (model) => model === `loaded ${name}`,
    async *run(job) {
      const how = 'automatic' in job && job.automatic ? ', automatic' : '';
      seen.push(`${job.op} → ${name}${how}`);
      yield* [];
    },
  });
  const entries: CatalogEntry[] = [
    packEntry('writer'),
    packEntry('speaker', 'r1', {
      speech: { family: 'kokoro', voices: [voice], sampleRate: 24_000 },
    }),
  ];
  const catalog = { get: (id: string) => Promise.resolve(entries.find((each) => each.id === id)) };
  const memory = {
    expect(id: string) {
      seen.push(`${id} is expected`);
      return () => void seen.push(`${id} is not expected`);
    },
  };
  const installer = {
    remove(id: string) {
      seen.push(`${id} is removed`);
      return Promise.resolve();
    },
  };
  const forget = (id: string) => {
    seen.push(`${id} is forgotten`);
    return Promise.resolve();
  };
  const engines = {
    admin: engine('admin'),
    text: engine('text'),
    speech: engine('speech'),
    retrieval: engine('retrieval'),
    hearing: engine('hearing'),
  };
  const parts = {
    catalog,
    installer,
    memory,
    forget,
    keepMeasurement: () => Promise.resolve(),
    answers: engine('answers'),
    ...engines,
    builtIn: engine('builtIn'),
    metrics: new Metrics(),
  };
  return { router: new Router(parts), seen };
}

/** Which part gets each of the jobs. */
async function routes(jobs: JobOf<RoutedOperation>[]): Promise<string[]> {
  const { router, seen } = openRouter();
  for (const job of jobs) await Array.fromAsync(router.run(job, NEVER));
  return seen;
}

test('loading and unloading go to the engine that runs the model', async () => {
  const ops = ['load', 'unload'] as const;
  const jobs = ops.flatMap((op) => [
    { op, model: 'writer' },
    { op, model: 'speaker' },
    { op, model: 'unknown' },
  ]);
  expect(await routes(jobs)).toEqual(
    ops.flatMap((op) => [`${op} → text`, `${op} → speech`, `${op} → text`]),
  );
});

test('a model is unloaded before its files are removed, and what went wrong with it is forgotten', async () => {
  const jobs = ['writer', 'speaker'].map((model) => ({ op: 'remove' as const, model }));
  expect(await routes(jobs)).toEqual([
    ...['unload → text', 'writer is removed', 'writer is forgotten'],
    ...['unload → speech', 'speaker is removed', 'speaker is forgotten'],
  ]);
});

test('jobs about the catalog and the weights go to the admin, whatever the model', async () => {
  const jobs: JobOf<RoutedOperation>[] = [{ op: 'watch' }, { op: 'install', model: 'speaker' }];
  expect(await routes(jobs)).toEqual(['watch → admin', 'install → admin']);
});

test('the memory of answers is no model’s', async () => {
  expect(await routes([{ op: 'memory', client: 'a' }])).toEqual(['memory → answers']);
});

test('keeping a model loads it, although nobody asks just now, and the memory expects it until the job ends', async () => {
  const { router, seen } = openRouter();
  const leaving = new AbortController();
  const keeping = router.run({ op: 'keep', model: 'speaker' }, leaving.signal);
  const kept = await keeping[Symbol.asyncIterator]().next();
  expect(kept.value).toEqual({ type: 'kept' });
  expect(seen).toEqual(['speaker is expected', 'load → speech, automatic']);
  const over = Array.fromAsync(keeping);
  leaving.abort(new Error('over'));
  await expect(over).rejects.toThrow('over');
  expect(seen.at(-1)).toBe('speaker is not expected');
});

test('a text model cannot speak', async () => {
  const { router } = openRouter();
  const speech = { text: 'Hi.', voice: 'v', language: 'en', speed: 1, format: 'wav' } as const;
  const spoken = (model: string) =>
    Array.fromAsync(router.run({ op: 'speak', model, ...speech }, NEVER));
  await expect(spoken('writer')).rejects.toMatchObject({ data: { code: 'model_not_found' } });
  expect(await spoken('speaker')).toEqual([]);
});

test('the catalog is not asked for a model in memory', async () => {
  const speech = { text: 'Hi.', voice: 'v', language: 'en', speed: 1, format: 'wav' } as const;
  const jobs: JobOf<RoutedOperation>[] = [
    { op: 'embed', model: 'loaded retrieval', texts: ['a'] },
    { op: 'speak', model: 'loaded speech', ...speech },
  ];
  expect(await routes(jobs)).toEqual(['embed → retrieval', 'speak → speech']);
});

test('a model that is installed to be loaded goes to its engine, unless a lost engine began that', async () => {
  const install = { op: 'install', load: true } as const;
  const jobs: JobOf<RoutedOperation>[] = [
    { ...install, model: 'writer' },
    { ...install, model: 'writer', automatic: true },
    { ...install, model: 'writer', makeRoom: true },
    { ...install, model: 'speaker' },
  ];
  const done = await routes(jobs);
  expect(done).toEqual([
    'load → text',
    'install → admin, automatic',
    'install → admin',
    'install → admin',
    'load → speech',
  ]);
});
