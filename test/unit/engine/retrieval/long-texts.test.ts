import { expect, test, vi } from 'vitest';
import { engineOf, withoutEvents } from '../../../../src/core/port/engine.ts';
import type { EmbedJob } from '../../../../src/core/operations/jobs/jobs.ts';
import { CrossEncoder } from '../../../../src/engine/retrieval/cross-encoder.ts';
import { Embedder } from '../../../../src/engine/retrieval/embedder.ts';
import { embedInSlices } from '../../../../src/engine/retrieval/in-slices.ts';
import {
  RetrievalEngine,
  type RetrievalOperation,
} from '../../../../src/engine/retrieval/retrieval-engine.ts';
import { WeightStore } from '../../../../src/core/weights/weight-store.ts';
import { pass } from '../../../../src/engine/road/stage.ts';
import { WorkerPool } from '../../../../src/engine/workers/worker-pool.ts';
import { NEVER, PENDING } from '../../support/never.ts';
import { emptyDatabase } from '../../support/database.ts';
import { hubVariant, installation, packEntry } from '../../support/entries.ts';
import { poolParts } from '../workers/pool-parts.ts';

const MOST = 8;
/** No text of so many tokens is longer. */
const LONGEST = 'a'.repeat(128 * MOST);

test('an embedder does not divide a text that is far too long into tokens', () => {
  const ids = vi.fn((text: string) => [text.length]);
  const model = { ids, vectors: () => Promise.resolve([]), dispose: () => Promise.resolve() };
  const embedder = new Embedder({ embedding: { length: 2 }, maxTokens: MOST, prompts: {} }, model);
  expect(embedder.encode(LONGEST, undefined, 0).ids).toEqual([1024]);
  expect(() => embedder.encode(`${LONGEST}a`, undefined, 3)).toThrow(
    "'texts[3]' has 1025 characters, and this model reads at most 8 tokens.",
  );
  expect(ids).toHaveBeenCalledOnce();
});

test('a ranker reads no more of a document than it may have tokens, and refuses a longer query', () => {
  const pair = vi.fn((_query: string, document: string) => ({ ids: document ? [1, 2, 3] : [1] }));
  const ranker = new CrossEncoder(MOST, {
    pair,
    isSpecial: () => false,
    logits: () => Promise.resolve([]),
    dispose: () => Promise.resolve(),
  });
  ranker.encoder('b')(`${LONGEST}aa`);
  expect(pair.mock.calls).toEqual([
    ['b', ''],
    ['b', LONGEST],
  ]);
  expect(() => ranker.encoder(`${LONGEST}a`)).toThrow(
    "'query' has 1025 characters, and this model reads at most 8 tokens of query and document.",
  );
});

test('a model says when the texts are divided into tokens, before it computes', async () => {
  const model = {
    ids: () => [1],
    vectors: () => Promise.resolve([Float32Array.of(1, 0)]),
    dispose: () => Promise.resolve(),
  };
  const embedder = new Embedder({ embedding: { length: 2 }, maxTokens: MOST, prompts: {} }, model);
  const engine = new RetrievalEngine({
    weights: new WeightStore(emptyDatabase()),
    open: () => Promise.resolve(embedder),
  });
  await Array.fromAsync(engine.runs.open({ op: 'open', ...INSTALLED }, NEVER));
  const events = await Array.fromAsync(engine.runs.embed(JOB, NEVER));
  expect(events.map(({ type }) => type)).toEqual(['encoded', 'vectors', 'embedded']);
});

test('one whose tokenizer takes too long fails, and the next request is answered', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let started = 0;
  const start = () => {
    const isSlow = started++ === 0;
    const worker = engineOf<RetrievalOperation>({
      divide: () => withoutEvents(() => Promise.resolve()),
      async *embed() {
        if (isSlow) await new Promise(() => undefined);
        yield { type: 'encoded' };
        yield { type: 'vectors', places: [0], values: Float32Array.of(1), tokens: 1 };
        yield { type: 'embedded' };
      },
      rerank: () => withoutEvents(() => Promise.resolve()),
      open: () => withoutEvents(() => Promise.resolve()),
    });
    return { ...worker, ready: Promise.resolve(), gone: PENDING, end: () => undefined };
  };
  const pool = new WorkerPool<RetrievalOperation>({ ...poolParts().parts, start });
  const { installed, turn, retried, memory, answer } = pool;
  const ask = async () => {
    const types: string[] = [];
    const stages = [installed, embedInSlices, turn, retried, memory, answer];
    const emit = ({ type }: { type: string }) => types.push(type);
    await pass(stages, { job: JOB, signal: NEVER, emit });
    return types;
  };
  const slow = expect(ask()).rejects.toMatchObject({
    data: { code: 'timeout', message: 'The model gave no output for 30 seconds.' },
  });
  await vi.advanceTimersByTimeAsync(30_000);
  await slow;
  vi.useRealTimers();
  expect(await ask()).toEqual(['vectors', 'embedded']);
});

const INSTALLED = {
  entry: packEntry('a'),
  variant: hubVariant('a'),
  installation: installation('r1'),
  contextLength: 512,
};
const JOB: EmbedJob = { op: 'embed', model: 'a', texts: ['x'] };
