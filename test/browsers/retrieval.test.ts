import { readFileSync } from 'node:fs';
import { unload } from '../browser/support/models.ts';
import { EMBEDDER, GGUF_EMBEDDER, RANKER } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';
import { untilKept } from './support/until-kept.ts';

interface Cases {
  vectors: { text: string; vector_start: number[] }[];
}

const CASES = new URL('../fixtures/tiny-embed-cases.json', import.meta.url);

test('texts are embedded and ranked, also without the network once the models were downloaded', async ({
  site,
  newTab,
}) => {
  const cases: Cases = JSON.parse(readFileSync(CASES, 'utf8'));
  const input = cases.vectors.map(({ text }) => text);
  const tab = await newTab(site.url);
  await begin(tab);
  const embed = (id: string) =>
    tab.evaluate(
      async ([model, texts]) => {
        const { data } = await window.client.embeddings.create({ model, input: texts });
        return data.map(({ embedding }) => embedding);
      },
      [id, input] as const,
    );
  const rank = () =>
    tab.evaluate(
      async ([model, query, documents]) => {
        const response = await window.post('rerank', { model, query, documents });
        return { status: response.status, text: await response.text() };
      },
      [RANKER, input[0] ?? '', input] as const,
    );
  const vectors = new Map<string, number[][]>();
  // ONNX Runtime and llama.cpp compute the same.
  for (const id of [EMBEDDER, GGUF_EMBEDDER]) {
    const own = await embed(id);
    vectors.set(id, own);
    for (const [place, { vector_start: start }] of cases.vectors.entries()) {
      for (const [index, value] of start.entries()) {
        expect(own[place]?.[index]).toBeCloseTo(value, 3);
      }
    }
  }
  const ranked = await rank();
  expect(ranked.status).toBe(200);
  expect(ranked.text).toContain('"relevance_score"');
  await untilKept(tab, ['onnx.js', 'llamacpp.js'], ['onnx.wasm', 'llamacpp.wasm']);
  // This ends the workers, so all their files are needed again.
  for (const id of [EMBEDDER, GGUF_EMBEDDER, RANKER]) await unload(tab, id);
  site.online = false;
  for (const [id, before] of vectors) expect(await embed(id)).toEqual(before);
  expect((await rank()).status).toBe(200);
});
