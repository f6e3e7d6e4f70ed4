import { expect, test } from 'vitest';
import type { CatalogEntry } from '../../../../src/core/catalog/catalog-entry.ts';
import type { Wanted } from '../../../../src/core/catalog/catalog-store.ts';
import type { JobOf } from '../../../../src/core/operations/jobs/jobs.ts';
import { adminStages } from '../../../../src/engine/host/admin.ts';
import { KeptAnswers } from '../../../../src/engine/host/kept-answers.ts';
import { Metrics } from '../../../../src/engine/host/metrics.ts';
import { TextModels } from '../../../../src/engine/models/text-models.ts';
import type { HearingOperation } from '../../../../src/engine/onnx/hearing/hearing-engine.ts';
import type { SpeechOperation } from '../../../../src/engine/onnx/speech/speech-engine.ts';
import type { RetrievalOperation } from '../../../../src/engine/retrieval/retrieval-engine.ts';
import { engineOn, roadOf, type RoadOperation } from '../../../../src/engine/road/road.ts';
import { WorkerPool, type PoolParts } from '../../../../src/engine/workers/worker-pool.ts';
import { GGUF_MEMORY, ggufVariant, packEntry } from '../../support/entries.ts';
import { NEVER, PENDING } from '../../support/never.ts';
import { scriptedEngine } from '../../support/fakes/scripted-engine.ts';
import { iterated } from '../../support/sinks.ts';
import { poolParts } from '../workers/pool-parts.ts';

const voice = { id: 'v', name: 'V', languages: ['en-US'] };
const SPEECH = { family: 'kokoro' as const, voices: [voice], sampleRate: 24_000 };
const Q8_MEMORY = { ...GGUF_MEMORY, q8TokenBytes: 500 };
const SPEAKING = { text: 'Hi.', voice: 'v', language: 'en', speed: 1, format: 'wav' } as const;

const EMBEDDER: CatalogEntry = {
  ...packEntry('embedder'),
  task: 'embedding',
  embedding: { length: 2 },
};

/** A road for a text model, a voice and an embedder, and the steps that are taken on it. The text model itself does nothing. */
function openRoad() {
  const seen: string[] = [];
  const entries: CatalogEntry[] = [
    packEntry('writer'),
    packEntry('speaker', 'r1', { speech: SPEECH }),
    { ...packEntry('gguf'), variants: [ggufVariant('gguf', { memory: Q8_MEMORY })] },
    { ...packEntry('narrow'), variants: [ggufVariant('narrow', { memory: GGUF_MEMORY })] },
    EMBEDDER,
  ];
  let reads = 0;
  const catalog = {
    get: (id: string) => {
      reads++;
      return Promise.resolve(entries.find((each) => each.id === id));
    },
    want: async (id: string, { wantedContext, wantedKvCacheType: type }: Wanted) => {
      seen.push(
        `${id} wants ${[wantedContext, type].filter((each) => each !== undefined).join(' ')}`,
      );
      return wantedContext !== 600;
    },
  };
  const { parts } = poolParts();
  const { progress, memory, loads, device } = parts;
  const poolOf = (task: string): PoolParts<never> => ({
    progress,
    memory,
    loads,
    device,
    installer: {
      touch: () => Promise.resolve(),
      requireModel: async (id, signal, autoInstall) => {
        seen.push(`${task} requires ${id}`);
        const model = await parts.installer.requireModel(id, signal, autoInstall);
        return id === 'embedder' ? { ...model, entry: EMBEDDER } : model;
      },
    },
    start: () => ({
      ...scriptedEngine(async function* (job) {
        seen.push(`${job.op} → ${task}`);
        if (job.op === 'heap') yield { type: 'heap', bytes: 1 };
      }),
      ready: Promise.resolve(),
      gone: PENDING,
      end: () => void seen.push(`${task} ends`),
    }),
  });
  const text = new TextModels({
    progress,
    memory,
    backend: { load: () => Promise.reject(new Error('It is not to be loaded.')) },
    onBroken: () => undefined,
    loads: {
      check: () => Promise.resolve(),
      during: (_, load) => load(),
      noteAnswer: () => Promise.resolve(),
      noteGpuFailure: () => Promise.resolve(true),
      noteImages: () => Promise.resolve(),
      noteGpuError: () => Promise.resolve(false),
      noteMemoryError: () => Promise.resolve(false),
    },
    installer: {
      touch: () => Promise.resolve(),
      variantOf: () => Promise.reject(new Error('It has no other.')),
      loadVerified: () => Promise.reject(new Error('It has no files.')),
      requireModel: (id) => {
        seen.push(`text requires ${id}`);
        return Promise.reject(new Error(`There is no ${id}.`));
      },
    },
  });
  const road = roadOf({
    site: 'http://site/',
    catalog,
    device: () => Promise.resolve({}),
    catalogFill: { ready: (_, next) => next() },
    memory: {
      expect(id) {
        seen.push(`${id} is expected`);
        return () => void seen.push(`${id} is not expected`);
      },
    },
    installer: { remove: async (id) => void seen.push(`${id} is removed`) },
    forget: async (id) => void seen.push(`${id} is forgotten`),
    keepMeasurement: () => Promise.resolve(),
    storedFiles: () => ({
      files: { answer: noFiles },
      stores: { answer: noFiles },
      members: { answer: noFiles },
      finder: { find: noFiles },
    }),
    answers: new KeptAnswers(new Map(), () => undefined),
    metrics: new Metrics(),
    builtIn: {
      answer: (_, next) => next(),
      load: (_, next) => next(),
      unload: (_, next) => next(),
      facts: () => Promise.resolve(),
    },
    servers: { answer: () => Promise.resolve() },
    prompts: { answer: () => Promise.resolve({ type: 'prompts', prompts: 0, bytes: 0 }) },
    admin: adminStages({
      progress,
      list: () => Promise.resolve([]),
      learn: () => Promise.resolve(),
      search: () => Promise.resolve([]),
      report: () => Promise.reject(new Error('There is no device.')),
      installer: {
        pause: () => undefined,
        add: (id) => Promise.resolve(packEntry(id)),
        addFiles: () => Promise.reject(new Error('There are no files.')),
        install: async (id) => void seen.push(`${id} is installed`),
      },
    }),
    text,
    speech: new WorkerPool<SpeechOperation>(poolOf('speech')),
    retrieval: new WorkerPool<RetrievalOperation>(poolOf('retrieval')),
    hearing: new WorkerPool<HearingOperation>(poolOf('hearing')),
  });
  const engine = iterated(engineOn(road));
  const run = async (job: JobOf<RoadOperation>) => {
    seen.length = 0;
    const error: unknown = await Array.fromAsync(engine.run(job, NEVER)).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { seen: [...seen], error };
  };
  return { run, engine, seen, reads: () => reads };
}

test('a model is loaded by the part that runs its task, and text models by default', async () => {
  const { run } = openRoad();
  const load = (model: string) => run({ op: 'load', model });
  expect((await load('writer')).seen).toEqual(['text requires writer']);
  expect((await load('unknown')).seen).toEqual(['text requires unknown']);
  expect((await load('speaker')).seen).toContain('open → speech');
});

test('a model in memory does only the jobs of its task', async () => {
  const { run } = openRoad();
  await run({ op: 'load', model: 'embedder' });
  const documents = ['d'];
  expect(await run({ op: 'rerank', model: 'embedder', query: 'q', documents })).toMatchObject({
    seen: [],
    error: { data: { code: 'model_not_found', message: expect.stringContaining("'rerank'") } },
  });
});

test('a model is unloaded before its files are removed, and what went wrong with it is forgotten', async () => {
  const { run } = openRoad();
  await run({ op: 'load', model: 'speaker' });
  expect((await run({ op: 'remove', model: 'speaker' })).seen).toEqual([
    'close → speech',
    'speech ends',
    'speaker is removed',
    'speaker is forgotten',
  ]);
});

test('a model is loaded anew if another context length is asked for', async () => {
  const { run } = openRoad();
  await run({ op: 'load', model: 'speaker' });
  const loadWith = async (contextLength: number) => {
    const { seen, error } = await run({ op: 'load', model: 'speaker', contextLength });
    return { seen, error };
  };
  expect((await loadWith(600)).seen).toEqual(['speaker wants 600']);
  expect((await loadWith(700)).seen).toEqual([
    'speaker wants 700',
    'close → speech',
    'speech ends',
    'speech requires speaker',
    'speech requires speaker',
    'open → speech',
  ]);
  for (const wrong of [0, -1, 1.5, Number.NaN, '600' as unknown as number]) {
    const { seen, error } = await loadWith(wrong);
    expect(seen).toEqual([]);
    expect(error).toMatchObject({
      data: { status: 400, message: /contextLength must be a whole/ },
    });
  }
});

test('a model is loaded with another KV cache only if it can have it', async () => {
  const { run } = openRoad();
  const loadWith = (model: string, kvCacheType: string) => run({ op: 'load', model, kvCacheType });
  expect((await loadWith('gguf', 'q8_0')).seen[0]).toBe('gguf wants q8_0');
  expect((await loadWith('gguf', 'f16')).seen[0]).toBe('gguf wants f16');
  for (const [model, type, message] of [
    ['narrow', 'q8_0', /^narrow cannot have a KV cache in q8_0: .*heads of 32/],
    ['writer', 'q8_0', /^writer cannot .*: only GGUF models that write text/],
    ['speaker', 'q8_0', /^speaker cannot .*: only GGUF models that write text/],
    ['gguf', 'q4_0', /'f16' or 'q8_0'/],
    ['gguf', '', /'f16' or 'q8_0'/],
  ] as const) {
    const { seen, error } = await loadWith(model, type);
    expect(seen).toEqual([]);
    expect(error).toMatchObject({
      data: { status: 400, param: 'kv_cache_type', message: expect.stringMatching(message) },
    });
  }
  expect((await loadWith('narrow', 'f16')).seen[0]).toBe('narrow wants f16');
});

test('keeping a model loads it, and the memory expects it until the job ends', async () => {
  const { engine, seen } = openRoad();
  const leaving = new AbortController();
  const keeping = engine.run({ op: 'keep', model: 'speaker' }, leaving.signal);
  const kept = await keeping[Symbol.asyncIterator]().next();
  expect(kept.value).toEqual({ type: 'kept' });
  expect(seen[0]).toBe('speaker is expected');
  expect(seen).toContain('open → speech');
  leaving.abort(new Error('over'));
  await expect(Array.fromAsync(keeping)).rejects.toThrow('over');
  expect(seen.at(-1)).toBe('speaker is not expected');
});

test('a text model cannot speak, and the catalog is not asked for a voice in memory', async () => {
  const { run, reads } = openRoad();
  const wrong = await run({ op: 'speak', model: 'writer', ...SPEAKING });
  expect(wrong.error).toMatchObject({ data: { code: 'model_not_found' } });
  await run({ op: 'speak', model: 'speaker', ...SPEAKING });
  const before = reads();
  const spoken = await run({ op: 'speak', model: 'speaker', ...SPEAKING });
  expect(spoken.seen).toContain('speak → speech');
  expect(reads()).toBe(before);
});

test('a model that is installed to be loaded goes to its engine, unless a lost engine began that', async () => {
  const { run } = openRoad();
  const install = { op: 'install', load: true } as const;
  const seenOf = async (job: Omit<JobOf<'install'>, 'op'>) =>
    (await run({ ...install, ...job })).seen;
  expect(await seenOf({ model: 'writer' })).toEqual(['text requires writer']);
  expect(await seenOf({ model: 'writer', automatic: true })).toEqual(['writer is installed']);
  expect(await seenOf({ model: 'writer', makeRoom: true })).toEqual(['writer is installed']);
  const [first, ...rest] = await seenOf({ model: 'speaker' });
  expect(first).toBe('speaker is installed');
  expect(rest).toContain('open → speech');
});

test('the number of requests that wait or run is told', async () => {
  const { run, engine } = openRoad();
  await run({ op: 'speak', model: 'speaker', ...SPEAKING });
  const speaking = engine.run({ op: 'speak', model: 'speaker', ...SPEAKING }, NEVER);
  const spoken = Array.fromAsync(speaking);
  const [event] = await Array.fromAsync(engine.run({ op: 'metrics' }, NEVER));
  expect(event?.requests).toBe(1);
  await spoken;
});

function noFiles(): never {
  throw new Error('There are no files.');
}
