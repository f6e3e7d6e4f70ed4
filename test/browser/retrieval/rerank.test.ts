import { eventsOfCancelled } from '../support/engine-jobs.ts';
import { expect } from '../support/fixtures.ts';
import { abortUnderWay, rankings, rerank, test } from '../support/searching.ts';
import { RANKER } from '../support/site.ts';

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

test('a reranking ends at an abort', async ({ searching, retrievalHold }) => {
  const body = { model: RANKER, query: 'bread', documents: MANY };
  expect(await abortUnderWay(searching, retrievalHold, 'rerank', body)).toBe('AbortError');
  const { results } = await rerank(searching, { query: 'bread', documents: ['Bread'] });
  expect(results).toHaveLength(1);
});

test('a reranking that is cancelled stops within one batch', async ({
  searching,
  retrievalHold,
}) => {
  const job = { op: 'rerank' as const, model: RANKER, query: 'bread' };
  // Four of them are a batch.
  const documents = Array.from({ length: 1_000 }, () => '. '.repeat(120));
  await retrievalHold.at({ batches: 3 });
  const batches = await eventsOfCancelled(searching, retrievalHold, {
    job: { ...job, documents },
    next: { ...job, documents: documents.slice(0, 4) },
    type: 'scores',
  });
  expect(batches).toBeGreaterThan(0);
  expect(batches).toBeLessThanOrEqual(3);
});
