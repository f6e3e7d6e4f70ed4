import { beforeEach, expect, test, vi } from 'vitest';
import { contextThatFits } from '../../../../../src/core/fit/context-that-fits.ts';
import { DeviceStore } from '../../../../../src/core/database/device-store.ts';
import { LoadLog } from '../../../../../src/engine/device/load-log.ts';
import { LlamaCppBackend } from '../../../../../src/engine/llamacpp/engine/llamacpp-backend.ts';
import { ModelMemory } from '../../../../../src/engine/scheduling/model-memory.ts';
import { ProgressBoard } from '../../../../../src/engine/scheduling/progress-board.ts';
import { TextModels } from '../../../../../src/engine/models/text-models.ts';
import { iterated } from '../../../support/sinks.ts';
import { textRoad } from '../../../support/models/text-road.ts';
import { emptyDatabase } from '../../../support/database.ts';
import { reportsOf } from '../../../support/servers/engine-site.ts';
import { ggufVariant, hubEntry, installation } from '../../../support/entries.ts';
import { FakeModelWorker, LOADED, startFake } from '../../../support/fakes/fake-model-worker.ts';
import { NEVER } from '../../../support/never.ts';

beforeEach(() => FakeModelWorker.reset());

/** An engine for one model with a context of 8,192 tokens. */
function openEngine() {
  const store = new DeviceStore(emptyDatabase());
  const loads = new LoadLog({ store, engine: 'a', surroundings: 'this browser' });
  const files = installation('r1');
  const entry = hubEntry('m', { contextLength: 8192 });
  const variant = { ...ggufVariant('m'), installed: files };
  const requireModel = async () => ({
    entry,
    variant,
    installation: files,
    contextLength: contextThatFits(entry, variant, { loads: await loads.records() }),
  });
  const progress = new ProgressBoard();
  const text = new TextModels({
    loads,
    progress,
    onBroken: vi.fn<() => void>(),
    backend: new LlamaCppBackend({ base: 'http://site/' }, startFake),
    memory: new ModelMemory({ budget: () => Promise.resolve(1e9), unloadAfterMs: Infinity }),
    installer: {
      requireModel,
      touch: () => Promise.resolve(),
      variantOf: () => Promise.resolve(variant),
      loadVerified: (_, load) => load(() => Promise.resolve(new Blob(['model']))),
    },
  });
  const engine = iterated(textRoad(text));
  const load = () => Array.fromAsync(engine.run({ op: 'load', model: 'm' }, NEVER));
  return { load, progress };
}

const contexts = () => FakeModelWorker.made.map(({ loaded }) => loaded?.contextLength);

test('a model that does not fit is loaded with a shorter context, and nobody is told of a failure', async () => {
  FakeModelWorker.load = ({ contextLength }) =>
    contextLength > 2048 ? { kind: 'memory', message: 'no room' } : LOADED;
  const { load, progress } = openEngine();
  const reports = await reportsOf(progress, load);
  expect(contexts()).toEqual([8192, 2048]);
  expect(reports.map(({ stage }) => stage)).not.toContain('failed');
  expect(reports.at(-1)).toMatchObject({ stage: 'ready' });
});

test('a model that fits with no context at all fails, with the reason', async () => {
  FakeModelWorker.load = () => ({ kind: 'memory', message: 'no room' });
  const { load } = openEngine();
  await expect(load()).rejects.toMatchObject({ data: { code: 'out_of_memory' } });
  expect(contexts()).toEqual([8192, 2048, 512]);
});
