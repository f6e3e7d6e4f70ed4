import { expect, test } from 'vitest';
import { engineOf, withoutEvents, type Engine } from '../../../../src/core/port/engine.ts';
import { jobFault } from '../../../../src/core/errors/errors.ts';
import type { EmbedJob, RerankJob } from '../../../../src/core/operations/jobs/jobs.ts';
import type { RetrievalOperation } from '../../../../src/engine/retrieval/retrieval-engine.ts';
import { embedInSlices, rerankInSlices } from '../../../../src/engine/retrieval/in-slices.ts';
import { pass, type Context, type Stage } from '../../../../src/engine/road/stage.ts';
import { WorkerPool } from '../../../../src/engine/workers/worker-pool.ts';
import { iterated } from '../../support/sinks.ts';
import { NEVER, PENDING } from '../../support/never.ts';
import { poolParts } from '../workers/pool-parts.ts';

/** A host whose workers answer with the lengths of the texts, and what those workers were asked. */
function openHost() {
  const asked: (EmbedJob | RerankJob)[] = [];
  const worker = engineOf<RetrievalOperation>({
    async *embed(job) {
      asked.push(job);
      const { texts, places = [] } = job;
      if (texts.includes('')) throw jobFault('texts', 'is empty.', { path: `[${places[0]}]` });
      const values = Float32Array.from(texts, (text) => text.length);
      yield { type: 'vectors', places, values, tokens: texts.length };
      yield { type: 'embedded' };
    },
    async *rerank(job) {
      asked.push(job);
      const { documents, places = [] } = job;
      const scores = documents.map((document) => document.length);
      yield { type: 'scores', places, scores, tokens: documents.length };
      yield { type: 'ranked' };
    },
    divide: () => withoutEvents(() => Promise.resolve()),
    open: () => withoutEvents(() => Promise.resolve()),
  });
  const start = () => ({
    ...worker,
    ready: Promise.resolve(),
    gone: PENDING,
    end: () => undefined,
  });
  const { installer, progress, memory, loads, device } = poolParts().parts;
  const pool = new WorkerPool<RetrievalOperation>({
    installer,
    progress,
    memory,
    loads,
    device,
    start,
  });
  const { installed, turn, retried, memory: held, answer } = pool;
  const road: { [Op in 'embed' | 'rerank']: readonly Stage<Context<Op>>[] } = {
    embed: [installed, embedInSlices, turn, retried, held, answer],
    rerank: [installed, rerankInSlices, turn, retried, held, answer],
  };
  const engine: Engine<'embed' | 'rerank'> = {
    run: (job, signal, emit) => pass(road[job.op], { job, signal, emit }),
  };
  return { host: iterated(engine), asked };
}

/** Three slices: 32 texts, 64 because the first were fast, and 4. */
const texts = Array.from({ length: 100 }, (_, place) => 'x'.repeat(1 + (place % 9)));

test('a job with many texts is computed slice by slice, and ends once', async () => {
  const { host, asked } = openHost();
  const job: EmbedJob = { op: 'embed', model: 'a', texts, dimensions: 1, role: 'query' };
  const events = await Array.fromAsync(host.run(job, NEVER));
  expect(asked).toHaveLength(3);
  expect(asked[0]).toMatchObject({ op: 'embed', dimensions: 1, role: 'query' });
  expect(events.map(({ type }) => type)).toEqual(['vectors', 'vectors', 'vectors', 'embedded']);
  const lengths = events.flatMap((event) =>
    event.type === 'vectors' ? event.places.map((place, at) => [place, event.values[at]]) : [],
  );
  expect(new Map(lengths as [number, number][])).toEqual(
    new Map(texts.map((text, place) => [place, text.length])),
  );
});

test('documents are ranked in the same way', async () => {
  const { host, asked } = openHost();
  const job: RerankJob = { op: 'rerank', model: 'a', query: 'q', documents: texts };
  const events = await Array.fromAsync(host.run(job, NEVER));
  expect(asked.map((each) => 'query' in each && each.query)).toEqual(['q', 'q', 'q']);
  expect(events.at(-1)).toEqual({ type: 'ranked' });
});

test('the jobs of several clients take turns', async () => {
  const { host, asked } = openHost();
  const run = (client: string) =>
    Array.fromAsync(host.run({ op: 'embed', model: 'a', texts, client }, NEVER));
  await Promise.all([run('ann'), run('bob')]);
  expect(asked.map(({ client }) => client)).toEqual(['ann', 'bob', 'ann', 'bob', 'ann', 'bob']);
});

test('a fault names the place of the text in the request, and an abort ends the job', async () => {
  const { host, asked } = openHost();
  const job: EmbedJob = { op: 'embed', model: 'a', texts: ['', 'a'], places: [7, 9] };
  await expect(Array.fromAsync(host.run(job, NEVER))).rejects.toMatchObject({
    data: { param: 'texts[9]' },
  });
  const controller = new AbortController();
  const events = host.run({ op: 'embed', model: 'a', texts }, controller.signal);
  asked.length = 0;
  await expect(
    (async () => {
      for await (const _ of events) controller.abort(new Error('enough'));
    })(),
  ).rejects.toThrow('enough');
  expect(asked).toHaveLength(1);
});
