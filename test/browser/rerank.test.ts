import { eventsAfterCancel } from './support/engine-jobs.ts';
import { expect, openStarted } from './support/fixtures.ts';
import { rankings, rerank, test } from './support/searching.ts';
import { RANKER, serveTestSite } from './support/site.ts';
import { slowBatches } from './support/slow-llama.ts';
import { workersOf } from './support/tabs.ts';

test('a reranking gives the scores that the model was trained to give', async ({ searching }) => {
  let right = 0;
  for (const { query, documents, scores, right: expected } of rankings) {
    const { results } = await rerank(searching, { query, documents });
    for (const { index, relevance_score: score } of results) {
      expect(score).toBeCloseTo(scores[index] ?? Number.NaN, 3);
    }
    if (results[0]?.index === expected) right++;
  }
  expect(right / rankings.length).toBeGreaterThanOrEqual(0.95);
});

test('a reranking reads only the beginning of a document that is too long', async ({
  searching,
}) => {
  const [{ query, documents } = { query: '', documents: [] }] = rankings;
  const [first = ''] = documents;
  const long = `${first} ${'Something else. '.repeat(200)}`;
  const { usage } = await rerank(searching, { query, documents: [long] });
  expect(usage.total_tokens).toBe(256);
  const short = await rerank(searching, { query, documents: [first], max_tokens_per_doc: 3 });
  const whole = await rerank(searching, { query, documents: [first] });
  expect(short.usage.total_tokens).toBeLessThan(whole.usage.total_tokens);
  const response = await searching.evaluate(
    async ([model, text]) => {
      const answer = await window.post('rerank', { model, query: text, documents: ['a'] });
      return { status: answer.status, body: await answer.text() };
    },
    [RANKER, 'word '.repeat(300)] as const,
  );
  expect(response.status).toBe(400);
  expect(JSON.parse(response.body)).toMatchObject({
    error: { code: 'context_length_exceeded', param: 'query' },
  });
});

const MANY = Array.from({ length: 1_000 }, () => 'Bread and butter. '.repeat(50));

test('a reranking ends at an abort', async ({ searching }) => {
  const name = await searching.evaluate(
    async ([model, documents]) => {
      const controller = new AbortController();
      const body = { model, query: 'bread', documents };
      const response = await window.post('rerank', body, controller);
      setTimeout(() => controller.abort());
      return response.text().catch((error: unknown) => error instanceof Error && error.name);
    },
    [RANKER, MANY] as const,
  );
  expect(name).toBe('AbortError');
  const { results } = await rerank(searching, { query: 'bread', documents: ['Bread'] });
  expect(results).toHaveLength(1);
});

test('a reranking that is cancelled stops within one batch', async ({ fresh, closing }) => {
  const site = closing(await serveTestSite('/', ['tiny-rerank']));
  // A batch takes longer than a message on a busy machine, as with a larger model.
  slowBatches(site, 200);
  const page = await openStarted(fresh, site.url);
  const job = { op: 'rerank' as const, model: RANKER, query: 'bread' };
  // Four of them are a batch. The first slice of a job has 32 of them, the second at most 16: batches are slow.
  const documents = Array.from({ length: 1_000 }, () => '. '.repeat(120));
  const late = await eventsAfterCancel(page, {
    job: { ...job, documents },
    at: 1,
    type: 'scores',
    next: { ...job, documents: documents.slice(0, 48) },
  });
  expect(late).toBeLessThanOrEqual(2);
  const [worker] = workersOf(page, 'onnx.js');
  const batches = await worker?.evaluate(() => self.turns);
  // Of the cancelled job one gave the result, one was being computed then, and one was next; the other job has twelve.
  expect(batches).toBeGreaterThanOrEqual(13);
  expect(batches).toBeLessThanOrEqual(15);
});
