import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../src/core/stores/catalog-entry.ts';
import type { Engine } from '../../../src/core/protocol/engine.ts';
import type { Job } from '../../../src/core/protocol/jobs.ts';
import { RoutedEngine } from '../../../src/engine/router.ts';
import { packEntry } from '../support/entries.ts';

const NEVER = new AbortController().signal;
const voice = { id: 'v', name: 'V', languages: ['en-US'] };

/** An engine whose two parts, and memory, note what they are asked to do. */
function routedEngine(): { routed: RoutedEngine; seen: string[] } {
  const seen: string[] = [];
  const engine = (name: string): Engine => ({
    async *run({ op }) {
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
  const memory = {
    expect(id: string) {
      seen.push(`${id} is expected`);
      return () => void seen.push(`${id} is not expected`);
    },
  };
  const parts = { catalog, memory, chat: engine('chat'), speech: engine('speech') };
  return { routed: new RoutedEngine(parts), seen };
}

/** Which of the two engines gets each of the jobs. */
async function routes(jobs: Job[]): Promise<string[]> {
  const { routed, seen } = routedEngine();
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

test('a model that is to be kept is loaded, and expected until nobody wants that any more', async () => {
  const { routed, seen } = routedEngine();
  const leaving = new AbortController();
  const keeping = routed.run({ op: 'keep', model: 'speaker' }, leaving.signal);
  const kept = await keeping[Symbol.asyncIterator]().next();
  expect(kept.value).toEqual({ type: 'kept' });
  expect(seen).toEqual(['speaker is expected', 'load → speech']);
  const over = Array.fromAsync(keeping);
  leaving.abort(new Error('over'));
  await expect(over).rejects.toThrow('over');
  expect(seen.at(-1)).toBe('speaker is not expected');
});

test('a model that writes cannot speak', async () => {
  const { routed } = routedEngine();
  const speech = { text: 'Hi.', voice: 'v', language: 'en', speed: 1, format: 'wav' } as const;
  const spoken = (model: string) =>
    Array.fromAsync(routed.run({ op: 'speak', model, ...speech }, NEVER));
  await expect(spoken('writer')).rejects.toMatchObject({ data: { code: 'model_not_found' } });
  expect(await spoken('speaker')).toEqual([]);
});
