import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tinyRanker } from '../../support/gguf/tiny-ranker.ts';
import { testEmbeddings } from '../support/embedding-tests.ts';
import { fileServer } from '../support/hub/file-server.ts';
import { expect, openStarted, restart } from '../support/fixtures.ts';
import { install, listed } from '../support/models.ts';
import { serveRepositories } from '../support/hub/repositories.ts';
import { dot, embed, embeddingCases as cases, rerank, test } from '../support/searching.ts';
import { GGUF_EMBEDDER, PACKS, serveTestSite } from '../support/site.ts';

const GGUF = readFileSync(join(PACKS['tiny-embed-gguf'] ?? '', 'tiny-embed-F16.gguf'));
const PACK = PACKS['tiny-embed'] ?? '';

testEmbeddings(GGUF_EMBEDDER);

test('an embedder of the hub takes its prompts and lengths from the model that it was made of', async ({
  fresh,
  closing,
}) => {
  const site = closing(await serveTestSite('/', ['tiny-chat']));
  const described = ['config.json', 'config_sentence_transformers.json'].map(
    (path) => [path, readFileSync(join(PACK, path))] as const,
  );
  const hub = closing(
    await serveRepositories(
      new Map([
        ['o/embedder-GGUF', new Map([['embedder-F16.gguf', GGUF]])],
        ['o/bare-GGUF', new Map([['bare-F16.gguf', GGUF]])],
        ['o/embedder', new Map(described)],
      ]),
      {
        'o/embedder-GGUF': ['gguf', 'base_model:quantized:o/embedder', 'base_model:o/embedder'],
        // The base model needs permission, or was removed.
        'o/bare-GGUF': ['base_model:o/gone'],
      },
    ),
  );
  const options = { hub: hub.url, engines: ['llamacpp' as const] };
  const page = await openStarted(fresh, site.url, options);
  const [{ text, vector_start: start } = { text: '', vector_start: [] }] = cases.vectors;
  for (const id of ['o/embedder-GGUF', 'o/bare-GGUF']) {
    expect(await page.evaluate((source) => window.v1.models.add(source), id)).toBe(id);
    expect(await listed(page, id)).toMatchObject({
      task: 'embedding',
      contextLength: 256,
      state: 'available',
      bytes: GGUF.length,
      variant: { engine: 'llamacpp', quantization: 'F16' },
      obstacles: [],
    });
    await install(page, id);
  }
  const check = async () => {
    const [vector] = await embed(page, [text], { model: 'o/embedder-GGUF' });
    for (const [index, value] of start.entries()) expect(vector?.[index]).toBeCloseTo(value, 3);
    const rest = { model: 'o/embedder-GGUF', input_type: 'query', dimensions: 32 };
    const [asked] = await embed(page, [text], rest);
    expect(asked).toHaveLength(32);
    expect(dot(asked, vector)).toBeLessThan(0.999);
  };
  await check();
  // No file says that its vectors may be cut, or which prompt stands before a question.
  for (const wrong of [{ dimensions: 32 }, { input_type: 'query' }]) {
    const refusal = await page.evaluate(
      (body) => window.refusalOf(window.client.embeddings.create(body)),
      { model: 'o/bare-GGUF', input: 'a', ...wrong },
    );
    expect(refusal).toMatchObject({ status: 400, code: 'unsupported_value' });
  }
  await hub.close();
  await restart(page, options);
  await check();
});

test('a cross-encoder in a GGUF file ranks, and one that llama.cpp computes wrongly is refused', async ({
  fresh,
  site,
  closing,
  onGpu,
}) => {
  const wordPieces = { 'tokenizer.ggml.model': { string: 'bert' } };
  const twoTypes = { 'tokenizer.ggml.token_type_count': { u32: 2 } };
  const labels = { 'bert.classifier.output_labels': { strings: ['yes', 'no'] } };
  const server = closing(
    await fileServer({
      '/ranker.gguf': { bytes: tinyRanker() },
      '/types.gguf': { bytes: tinyRanker({ ...wordPieces, ...twoTypes }) },
      '/labels.gguf': { bytes: tinyRanker(labels) },
    }),
  );
  const page = await openStarted(fresh, site.url, { engines: ['llamacpp'] });
  const add = (name: string) =>
    page.evaluate((source) => window.v1.models.add(source), `${server.url}${name}.gguf`);
  await expect(add('types')).rejects.toThrow('token types, which llama.cpp leaves out');
  await expect(add('labels')).rejects.toThrow('2 numbers for a question and a document');
  expect(await add('ranker')).toBe('ranker');
  await install(page, 'ranker');
  expect(await listed(page, 'ranker')).toMatchObject({ task: 'rerank', contextLength: 96 });
  const documents = ['the sky is blue .', 'an apple is red .', 'a apple '.repeat(200)];
  const { results, usage } = await rerank(page, {
    model: 'ranker',
    query: 'what is red ?',
    documents,
  });
  expect(usage.total_tokens).toBe(13 + 13 + 96);
  // The sigmoids of what llama.cpp gives in Node for the same tokens.
  const scores = results.toSorted((a, b) => a.index - b.index).map((each) => each.relevance_score);
  const digits = onGpu ? 2 : 4;
  expect(scores[0]).toBeCloseTo(1 / (1 + Math.exp(1.0262749)), digits);
  expect(scores[1]).toBeCloseTo(1 / (1 + Math.exp(1.062645)), digits);
});
