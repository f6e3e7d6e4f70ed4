import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../src/core/catalog-entry.ts';
import type { Job } from '../../../src/core/engine.ts';
import { RoutedEngine } from '../../../src/engine/routed-engine.ts';
import { packEntry } from '../support/entries.ts';

const NEVER = new AbortController().signal;
const voice = { id: 'v', name: 'V', languages: ['en-US'] };

/** Which of the two engines gets each of the jobs. */
async function routes(jobs: Job[]): Promise<string[]> {
  const seen: string[] = [];
  const engine = (name: string) => ({
    run: async function* ({ op }: Job) {
      seen.push(`${op} → ${name}`);
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
  const routed = new RoutedEngine({ catalog, chat: engine('chat'), speech: engine('speech') });
  for (const job of jobs) await Array.fromAsync(routed.run(job, NEVER));
  return seen;
}

test('loading, unloading and removing go to the engine that runs the model', async () => {
  const ops = ['load', 'unload', 'remove'] as const;
  const jobs = ops.flatMap((op) => [
    { op, model: 'writer' },
    { op, model: 'speaker' },
    { op, model: 'unknown' },
  ]);
  expect(await routes(jobs)).toEqual(
    ops.flatMap((op) => [`${op} → chat`, `${op} → speech`, `${op} → chat`]),
  );
});

test('what no model runs, and downloads, are everybody’s', async () => {
  const jobs: Job[] = [{ op: 'watch' }, { op: 'install', model: 'speaker' }];
  expect(await routes(jobs)).toEqual(['watch → chat', 'install → chat']);
});
