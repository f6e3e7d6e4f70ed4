import { expect, test, vi } from 'vitest';
import { reportsOf } from '../../support/servers/engine-site.ts';
import { openPool, speakJob } from './pool-parts.ts';

test('a worker that ends by itself, as with its page, is no longer loaded, and the next request starts another', async () => {
  const { typesOf, progress, log, ends } = openPool();
  await typesOf(speakJob());
  const reports = await reportsOf(progress, async () => {
    ends[0]?.();
    await Promise.resolve();
  });
  expect(reports.map(({ stage }) => stage)).toEqual(['ready', 'unloaded']);
  expect(await typesOf(speakJob())).toEqual(['audio', 'audio']);
  expect(log).toEqual(['start', 'end', 'start']);
});

test('a worker that ends while it works leaves the rest to the request that fails', async () => {
  const held = Promise.withResolvers<void>();
  const { typesOf, progress, ends } = openPool({
    speak: async function* () {
      yield { type: 'audio', bytes: new Uint8Array([0]) };
      await held.promise;
    },
  });
  const types = typesOf(speakJob());
  await reportsOf(progress, () => vi.waitFor(() => expect(ends).toHaveLength(1)));
  const reports = await reportsOf(progress, async () => {
    ends[0]?.();
    held.resolve();
    await types;
  });
  expect(reports.map(({ stage }) => stage)).not.toContain('unloaded');
});
