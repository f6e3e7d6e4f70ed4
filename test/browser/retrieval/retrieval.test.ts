import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testEmbeddings } from '../support/embedding-tests.ts';
import { expect, openStarted, restart } from '../support/fixtures.ts';
import { install, listed } from '../support/models.ts';
import { packFiles } from '../support/hub/pack-files.ts';
import { serveRepositories } from '../support/hub/repositories.ts';
import {
  dot,
  embed,
  embeddingCases as cases,
  rankings,
  rerank,
  test,
} from '../support/searching.ts';
import { EMBEDDER, PACKS, RANKER, serveTestSite } from '../support/site.ts';

testEmbeddings(EMBEDDER);

test('models of the hub are added, installed and used, also without the hub', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const whole = filesOf('tiny-embed');
  const described = ['modules.json', '1_Pooling/config.json', 'config.json'];
  // Repositories for transformers.js often lack the files on how the model works. The base model's repository has them.
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
    task: 'embedding',
    embedding: { length: 128 },
    contextLength: 256,
    state: 'available',
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
    task: 'embedding',
    embedding: { length: 128, dimensions: [32, 64, 128] },
    contextLength: 256,
    variant: { engine: 'onnx', quantization: 'fp32' },
  });
  expect(models.find(({ id }) => id === RANKER)).toMatchObject({ task: 'rerank' });
  expect(retrievalSite.requests.filter((path) => /speech|gpu/.test(path))).toEqual([]);
});
