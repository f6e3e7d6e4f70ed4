import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { say } from './support/chat.ts';
import { expect, openStarted, restart, TINY } from './support/fixtures.ts';
import { install, listed } from './support/models.ts';
import { packFiles } from './support/pack-files.ts';
import { serveRepositories } from './support/repositories.ts';
import {
  dot,
  embed,
  embeddingCases as cases,
  rankings,
  rerank,
  test,
} from './support/searching.ts';
import { EMBEDDER, PACKS, RANKER, serveTestSite } from './support/site.ts';

/** The share of the texts whose own partner is the nearest of all partners. */
function found(texts: number[][], partners: number[][]): number {
  const hits = texts.filter((text, place) => {
    const own = dot(text, partners[place]);
    return partners.every((partner, other) => other === place || dot(text, partner) < own);
  });
  return hits.length / texts.length;
}

test.describe('embeddings', () => {
  test('are those that the model was trained to give, and of length 1', async ({ searching }) => {
    const texts = cases.vectors.map(({ text }) => text);
    const vectors = await embed(searching, texts);
    for (const [place, { vector_start: start }] of cases.vectors.entries()) {
      expect(vectors[place]).toHaveLength(128);
      expect(dot(vectors[place], vectors[place])).toBeCloseTo(1, 5);
      for (const [index, value] of start.entries()) {
        expect(vectors[place]?.[index]).toBeCloseTo(value, 3);
      }
    }
  });

  test('count tokens as the model reads them, special ones included', async ({ searching }) => {
    for (const { text, tokens } of cases.vectors) {
      const { usage } = await searching.evaluate(
        ([model, input]) => window.client.embeddings.create({ model, input }),
        [EMBEDDER, text] as const,
      );
      expect(usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
    }
  });

  test('find paraphrases, also when they are cut', async ({ searching }) => {
    const texts = cases.paraphrases.map(({ text }) => text);
    const partners = cases.paraphrases.map(({ paraphrase }) => paraphrase);
    for (const dimensions of [128, 32]) {
      const [a, b] = [
        await embed(searching, texts, { dimensions }),
        await embed(searching, partners, { dimensions }),
      ];
      expect(a[0]).toHaveLength(dimensions);
      expect(dot(a[0], a[0])).toBeCloseTo(1, 5);
      expect(found(a, b)).toBeGreaterThanOrEqual(0.95);
    }
  });

  test('find the passage of a question, with the model’s own prompts', async ({ searching }) => {
    const questions = cases.questions.map(({ query }) => query);
    const passages = cases.questions.map(({ passage }) => passage);
    const a = await embed(searching, questions, { input_type: 'query' });
    const b = await embed(searching, passages, { input_type: 'document' });
    expect(found(a, b)).toBeGreaterThanOrEqual(0.95);
    const plain = await embed(searching, questions.slice(0, 1));
    expect(dot(plain[0], a[0])).toBeLessThan(0.999);
  });

  test('of many texts come in their order, and do not hold up a chat', async ({ searching }) => {
    const texts = Array.from({ length: 2_048 }, (_, place) =>
      `${place % 7} apples `.repeat(1 + (place % 13)),
    );
    const all = embed(searching, texts);
    expect(await say(searching, 'Say blue.')).toBe('blue');
    const vectors = await all;
    expect(vectors).toHaveLength(2_048);
    const [single] = await embed(searching, [texts[700] ?? '']);
    expect(dot(single, vectors[700])).toBeCloseTo(1, 4);
  });

  test('end at an abort', async ({ searching }) => {
    const name = await searching.evaluate(async (model) => {
      const controller = new AbortController();
      const input = Array.from({ length: 2_048 }, () => 'Bread and butter. '.repeat(20));
      const response = await window.post('embeddings', { model, input }, controller);
      setTimeout(() => controller.abort());
      return response.text().catch((error: unknown) => error instanceof Error && error.name);
    }, EMBEDDER);
    expect(name).toBe('AbortError');
    // The model is free at once: a whole request of the same kind would take many seconds.
    expect(await embed(searching, ['Bread'])).toHaveLength(1);
  });

  test('bad requests get a clear error', async ({ searching }) => {
    const refusal = (body: object) =>
      searching.evaluate((whole) => window.refusalOf(window.client.embeddings.create(whole)), {
        model: EMBEDDER,
        input: 'a',
        ...body,
      });
    expect(await refusal({ input: ['a', 'word '.repeat(300)] })).toMatchObject({
      ...{ status: 400, code: 'context_length_exceeded', param: 'input[1]' },
      message: expect.stringContaining('at most 256'),
    });
    expect(await refusal({ dimensions: 129 })).toMatchObject({
      ...{ status: 400, code: 'unsupported_value', param: 'dimensions' },
    });
    for (const model of [TINY, RANKER]) {
      expect(await refusal({ model })).toMatchObject({ status: 400, param: 'model' });
    }
    expect(await refusal({ model: 'o/none' })).toMatchObject({ status: 404 });
  });
});

test('models of the hub are added, installed and used, also without the hub', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const whole = filesOf('tiny-embed');
  const described = ['modules.json', '1_Pooling/config.json', 'config.json'];
  // As repositories for transformers.js often are: how the model works is said by the one it was made of.
  const converted = [...whole].filter(([path]) => !described.slice(0, 2).includes(path));
  const hub = closing(
    await serveRepositories(
      new Map([
        ['o/embedder-ONNX', new Map(converted)],
        ['o/embedder', new Map([...whole].filter(([path]) => described.includes(path)))],
        ['o/ranker', filesOf('tiny-rerank')],
        ['o/writer', new Map([...whole].filter(([path]) => !described.slice(0, 2).includes(path)))],
      ]),
      { 'o/embedder-ONNX': ['onnx', 'base_model:quantized:o/embedder', 'base_model:o/embedder'] },
    ),
  );
  const page = await openStarted(fresh, site.url, { hub: hub.url });
  const add = (source: string) => page.evaluate((each) => window.v1.models.add(each), source);
  await add('o/embedder-ONNX');
  await add('o/ranker');
  await expect(add('o/writer')).rejects.toThrow('neither a modules.json nor a base model');
  expect(await listed(page, 'o/embedder-ONNX')).toMatchObject({
    ...{ task: 'embedding', embedding: { length: 128 }, contextLength: 256, state: 'available' },
    bytes: whole.get('onnx/model.onnx')?.length,
  });
  await install(page, 'o/embedder-ONNX');
  await install(page, 'o/ranker');
  const [{ text, vector_start: start } = { text: '', vector_start: [] }] = cases.vectors;
  const check = async () => {
    const [vector] = await embed(page, [text], { model: 'o/embedder-ONNX' });
    expect(vector?.[0]).toBeCloseTo(start[0] ?? Number.NaN, 3);
    const [{ query, documents } = { query: '', documents: [] }] = rankings;
    const { results } = await rerank(page, { model: 'o/ranker', query, documents });
    expect(results).toHaveLength(documents.length);
  };
  await check();
  await hub.close();
  await restart(page, { hub: hub.url });
  await check();
});

function filesOf(pack: string): Map<string, Buffer> {
  const folder = PACKS[pack] ?? '';
  return new Map(packFiles(pack).map(({ path }) => [path, readFileSync(join(folder, path))]));
}

test('a tab that hosts the engine may close in the middle', async ({ fresh, retrievalSite }) => {
  const leader = await openStarted(fresh, retrievalSite.url);
  const page = await openStarted(fresh, retrievalSite.url);
  const input = Array.from({ length: 1_000 }, (_, place) => `${place} apples. `.repeat(9));
  const all = embed(page, input);
  const tokens = () =>
    page.evaluate(async (model) => {
      const headers = { authorization: `Bearer ${window.v1.apiKey}` };
      const metrics = await (await fetch(`${window.v1.baseURL}/metrics`, { headers })).text();
      return Number(metrics.split(`prompt_tokens_total{model="${model}"} `)[1]?.split('\n')[0]);
    }, EMBEDDER);
  // Some of the texts have been read.
  await expect.poll(tokens, { intervals: [10] }).toBeGreaterThan(0);
  await leader.close();
  const vectors = await all;
  expect(vectors).toHaveLength(1_000);
  const [single] = await embed(page, input.slice(7, 8));
  expect(dot(single, vectors[7])).toBeCloseTo(1, 4);
});

test('the catalog says what the models do, and a page without them fetches nothing of theirs', async ({
  searching,
  retrievalSite,
}) => {
  const models = await searching.evaluate(() => window.v1.models.list());
  expect(models.find(({ id }) => id === EMBEDDER)).toMatchObject({
    ...{ task: 'embedding', embedding: { length: 128, dimensions: [32, 64, 128] } },
    ...{ contextLength: 256, variant: { engine: 'onnx', quantization: 'fp32' } },
  });
  expect(models.find(({ id }) => id === RANKER)).toMatchObject({ task: 'rerank' });
  expect(retrievalSite.requests.filter((path) => /speech|gpu/.test(path))).toEqual([]);
});
