import { expect, test } from 'vitest';
import { pass } from '../../../../src/engine/road/stage.ts';
import { invalidRequest } from '../../../../src/core/errors/errors.ts';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import type { OnnxVariant } from '../../../../src/core/catalog/variant.ts';
import { blobSha256, WeightStore } from '../../../../src/core/weights/weight-store.ts';
import { ModelFileError } from '../../../../src/engine/download/hub/model-file-error.ts';
import { withHeap } from '../../../../src/engine/retrieval/with-heap.ts';
import {
  RetrievalEngine,
  type RetrievalOperation,
} from '../../../../src/engine/retrieval/retrieval-engine.ts';
import { ModelSlot } from '../../../../src/engine/workers/model-slot.ts';
import { WorkerPool } from '../../../../src/engine/workers/worker-pool.ts';
import { emptyDatabase } from '../../support/database.ts';
import { packEntry } from '../../support/entries.ts';
import { NEVER } from '../../support/never.ts';
import { poolParts } from './pool-parts.ts';

const PATH = 'config.json';

/** A slot, the models `a` and `b`, which consist of one file each, and a log of loads and disposals. */
async function openSlot() {
  const log: string[] = [];
  const weights = new WeightStore(emptyDatabase());
  const install = async (id: string) => {
    const blob = new Blob([id]);
    const sha256 = await blobSha256(blob);
    await weights.put(id, 'r1', PATH, { blob, sha256 });
    const file = { path: PATH, size: blob.size, sha256, url: 'http://site/config.json' };
    const installation = { revision: 'r1', files: [file] };
    const entry = packEntry(id, 'r1', { installed: installation });
    const [variant] = entry.variants;
    if (!variant) throw new Error('It has no variant.');
    return { entry, variant, installation, contextLength: 0 };
  };
  const slot = new ModelSlot({
    weights,
    open: async (_installed, read) => {
      const text = (await (await read(PATH))?.text()) ?? '';
      log.push(`open ${text}`);
      return { text, dispose: () => Promise.resolve(void log.push(`dispose ${text}`)) };
    },
  });
  return { slot, log, weights, a: await install('a'), b: await install('b') };
}

test('another model takes the place of the first, which is disposed', async () => {
  const { slot, log, a, b } = await openSlot();
  await slot.load(a);
  await slot.load(b);
  expect(log).toEqual(['open a', 'dispose a', 'open b']);
  expect(slot.model.text).toBe('b');
});

test('a damaged file is removed and reported, and other models can still be loaded', async () => {
  const { slot, log, weights, a, b } = await openSlot();
  const { sha256 = '' } = (await weights.find('a', 'r1', PATH)) ?? {};
  await weights.put('a', 'r1', PATH, { blob: new Blob(['b']), sha256 });
  await expect(slot.load(a)).rejects.toThrow('was damaged');
  expect(await weights.find('a', 'r1', PATH)).toBeUndefined();
  expect(() => slot.model).toThrow('no model');
  await slot.load(b);
  expect(log).toEqual(['open b']);
});

test('a file that cannot be used is a fault of the model, by name', async () => {
  const { weights, a } = await openSlot();
  const open = () => Promise.reject(new ModelFileError('tokenizer.json', 'is not valid JSON'));
  await expect(new ModelSlot({ weights, open }).load(a)).rejects.toMatchObject({
    data: {
      code: 'model_unusable',
      message: "The model 'a' cannot be used: its tokenizer.json is not valid JSON.",
    },
  });
});

function onnxVariant(id: string): OnnxVariant {
  return {
    id,
    engine: 'onnx',
    quantization: id,
    graph: `${id}.onnx`,
    needs: {},
    source: { kind: 'hub', repository: 'o/embedder', files: [] },
    installed: { revision: 'r1', files: [] },
  };
}

test('the worker loads the variant that the engine chose, even if an earlier one is installed too', async () => {
  const [first, chosen] = [onnxVariant('fp16'), onnxVariant('fp32')];
  const entry: CatalogEntry = { ...packEntry('a'), variants: [first, chosen] };
  const installation = { revision: 'r1', files: [] };
  const opened: string[] = [];
  const { parts } = poolParts();
  const pool = new WorkerPool<RetrievalOperation>({
    progress: parts.progress,
    memory: parts.memory,
    loads: parts.loads,
    device: parts.device,
    installer: {
      touch: () => Promise.resolve(),
      requireModel: () =>
        Promise.resolve({ entry, variant: chosen, installation, contextLength: 0 }),
    },
    start: () => {
      const engine = new RetrievalEngine({
        weights: new WeightStore(emptyDatabase()),
        open: ({ variant }) => {
          opened.push(variant.id);
          return Promise.reject(invalidRequest('It is not to be computed with.'));
        },
      });
      const gone = new Promise<void>(() => undefined);
      return {
        ...withHeap(
          engine,
          () => 0,
          () => Promise.resolve(),
        ),
        ready: Promise.resolve(),
        gone,
        end: () => undefined,
      };
    },
  });
  const load = { job: { model: 'a' }, signal: NEVER, emit: () => undefined };
  await expect(pass(pool.loading, load)).rejects.toThrow('It is not to be computed with.');
  expect(opened).toEqual(['fp32']);
});
