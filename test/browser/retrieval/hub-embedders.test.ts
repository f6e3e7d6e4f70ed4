import type { Page } from 'playwright/test';
import { FAMILIES } from '../../support/onnx/embedder-families.ts';
import {
  json,
  WHOLE,
  WIDTH,
  wholeVector,
  wordEmbedder,
  wordIds,
  wordStates,
  type Kind,
} from '../../support/onnx/word-embedder.ts';
import { expect, openStarted, test as base } from '../support/fixtures.ts';
import { install, listed } from '../support/models.ts';
import { serveRepositories, type RepositoryHub } from '../support/hub/repositories.ts';
import { embed } from '../support/searching.ts';
import { serveTestSite } from '../support/site.ts';

/** Repositories are laid out as those of the families that they are named after. */
const BGE = 'o/bge';
const QWEN = 'o/qwen3-embedding';
const QWEN_BASE = 'base/qwen3-embedding';
const INSTRUCTOR = 'o/instructor';
const GEMMA = 'o/embeddinggemma-ONNX';
const GEMMA_BASE = 'google/embeddinggemma';
const VAGUE = 'o/embeddinggemma-without-length-ONNX';
const BARE = 'o/without-whole-vectors-ONNX';
const LARGE = 'o/large-ONNX';
const LARGE_BARE = 'o/large-without-whole-vectors-ONNX';
/** A graph that is larger than this is not read whole. */
const MEGABYTES = 17;
/** 32-bit numbers. */
const MANY = (MEGABYTES << 20) / 4;
const JINA = 'o/jina-embeddings-v3';

/** Texts of different lengths, so that they are padded when they are computed together. */
const TEXTS = ['red apples', 'green pears and red apples grow on trees', 'pears'];
const QUERY = 'find :';

type Files = Map<string, Buffer>;

/** What sentence-transformers writes of a model's pooling. */
function sentenceFiles(mode: string, folder = '1_Pooling', rest: object = {}): Files {
  const type = (name: string) => `sentence_transformers.models.${name}`;
  const modules = [
    { idx: 0, name: '0', path: '', type: type('Transformer') },
    { idx: 1, name: '1', path: folder, type: type('Pooling') },
    { idx: 2, name: '2', path: '2_Normalize', type: type('Normalize') },
  ];
  const pooling = { word_embedding_dimension: WIDTH, [`pooling_mode_${mode}`]: true, ...rest };
  return new Map([
    ['modules.json', json(modules)],
    [`${folder}/config.json`, json(pooling)],
    ['config_sentence_transformers.json', json({ prompts: { query: `${QUERY} ` } })],
  ]);
}

function withConfig(files: Files, rest: object): Files {
  const config: object = JSON.parse(files.get('config.json')?.toString() ?? '{}');
  return new Map(files).set('config.json', json({ ...config, ...rest }));
}

const encoder = wordEmbedder('encoder');
const gated = new Map([...encoder, ...sentenceFiles('mean_tokens')]);
const repositories = new Map<string, Files>([
  [BGE, new Map([...encoder, ...sentenceFiles('cls_token')])],
  [QWEN, wordEmbedder('decoder')],
  [QWEN_BASE, sentenceFiles('lasttoken')],
  [
    INSTRUCTOR,
    new Map([...encoder, ...sentenceFiles('mean_tokens', 'pool', { include_prompt: false })]),
  ],
  [GEMMA, wordEmbedder('encoder', WHOLE)],
  [VAGUE, wordEmbedder('encoder', 'unknown')],
  [BARE, encoder],
  [LARGE, wordEmbedder('encoder', WHOLE, MANY)],
  [LARGE_BARE, wordEmbedder('encoder', undefined, MANY)],
  [JINA, withConfig(gated, { lora_adaptations: ['retrieval.query', 'retrieval.passage'] })],
  [GEMMA_BASE, gated],
  ...FAMILIES.map(({ name, files }): [string, Files] => [`o/${name}`, files]),
  ...FAMILIES.flatMap(({ name, base: described }): [string, Files][] =>
    described ? [[`base/${name}`, described]] : [],
  ),
]);
const tags = {
  ...Object.fromEntries(FAMILIES.map(({ name }) => [`o/${name}`, [`base_model:base/${name}`]])),
  [QWEN]: [`base_model:${QWEN_BASE}`],
  ...Object.fromEntries(
    [GEMMA, VAGUE, BARE, LARGE, LARGE_BARE].map((name) => [name, [`base_model:${GEMMA_BASE}`]]),
  ),
};

const test = base.extend<{ hub: RepositoryHub; visitor: Page }>({
  hub: async ({ closing }, use) => {
    await use(closing(await serveRepositories(repositories, tags, {}, [], [GEMMA_BASE])));
  },
  visitor: async ({ fresh, closing, hub }, use) => {
    const site = closing(await serveTestSite('/', []));
    await use(await openStarted(fresh, site.url, { hub: hub.url }));
  },
});

const add = (page: Page, model: string) =>
  page.evaluate((source) => window.v1.models.add(source), model);

async function added(page: Page, model: string): Promise<void> {
  await add(page, model);
  await install(page, model);
}

function normalised(vector: readonly number[]): number[] {
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

/** The mean of the columns. */
function mean(rows: readonly number[][]): number[] {
  return (rows[0] ?? []).map(
    (_, index) => rows.reduce((sum, row) => sum + (row[index] ?? 0), 0) / rows.length,
  );
}

function expectVectors(found: number[][], right: number[][]): void {
  expect(found).toHaveLength(right.length);
  for (const [place, vector] of right.entries()) {
    expect(found[place]).toHaveLength(vector.length);
    for (const [index, value] of normalised(vector).entries()) {
      expect(found[place]?.[index]).toBeCloseTo(value, 5);
    }
  }
}

const states = (kind: Kind, text: string) => wordStates(kind, wordIds(kind, text));

test('cls pooling takes the first token, as bge and mxbai do', async ({ visitor }) => {
  await added(visitor, BGE);
  const vectors = await embed(visitor, TEXTS, { model: BGE });
  expectVectors(
    vectors,
    TEXTS.map((text) => states('encoder', text)[0] ?? []),
  );
});

test('last-token pooling of a decoder takes the last token, as Qwen3-Embedding does', async ({
  visitor,
}) => {
  await added(visitor, QWEN);
  const vectors = await embed(visitor, TEXTS, { model: QWEN });
  expectVectors(
    vectors,
    TEXTS.map((text) => states('decoder', text).at(-1) ?? []),
  );
  const prompted = await embed(visitor, TEXTS, { model: QWEN, input_type: 'query' });
  expectVectors(
    prompted,
    TEXTS.map((text) => states('decoder', `${QUERY} ${text}`).at(-1) ?? []),
  );
});

test('a pooling that leaves prompts out is read in the folder that modules.json names', async ({
  visitor,
}) => {
  await added(visitor, INSTRUCTOR);
  expectVectors(
    await embed(visitor, TEXTS, { model: INSTRUCTOR }),
    TEXTS.map((text) => mean(states('encoder', text))),
  );
  // [CLS] find : text [SEP]
  expectVectors(
    await embed(visitor, TEXTS, { model: INSTRUCTOR, input_type: 'query' }),
    TEXTS.map((text) => mean(states('encoder', `${QUERY} ${text}`).slice(3))),
  );
});

test('a graph that gives whole vectors needs no description, as EmbeddingGemma’s', async ({
  visitor,
}) => {
  await added(visitor, GEMMA);
  expect(await listed(visitor, GEMMA)).toMatchObject({
    task: 'embedding',
    embedding: { length: WHOLE },
    contextLength: 64,
  });
  expectVectors(
    await embed(visitor, TEXTS, { model: GEMMA }),
    TEXTS.map((text) => wholeVector(wordIds('encoder', text))),
  );
});

test('a graph that does not say how long its vectors are must keep to the configuration', async ({
  visitor,
}) => {
  await added(visitor, VAGUE);
  await expect(embed(visitor, TEXTS, { model: VAGUE })).rejects.toThrow(
    `its vectors have ${WHOLE} numbers, and its files say ${WIDTH}`,
  );
});

test('what cannot be used is refused before its weights are downloaded', async ({
  visitor,
  hub,
}) => {
  await expect(add(visitor, BARE)).rejects.toThrow(
    /o\/without-whole-vectors-ONNX cannot be used: it has no modules\.json, and its base model cannot be read \(.*The hub answered 401 for .*google\/embeddinggemma.*\), and its graph has no output sentence_embedding\./,
  );
  hub.requests.length = 0;
  await expect(add(visitor, JINA)).rejects.toThrow(
    'its config.json has lora_adaptations: its graph needs the name of a task',
  );
  expect(hub.requests).toContainEqual(expect.stringContaining(JINA));
  expect(hub.requests).not.toContainEqual(expect.stringContaining('.onnx'));
  hub.traffic.sent = 0;
  await expect(add(visitor, LARGE_BARE)).rejects.toThrow('no output sentence_embedding');
  expect(hub.traffic.sent).toBeLessThan(2 << 20);
});

test('of a large graph, only the end is read before the download', async ({ visitor, hub }) => {
  await add(visitor, LARGE);
  expect(hub.traffic.sent).toBeLessThan(2 << 20);
  expect(await listed(visitor, LARGE)).toMatchObject({ embedding: { length: WHOLE } });
  await install(visitor, LARGE);
  expect(hub.traffic.sent).toBeGreaterThan(MEGABYTES << 20);
  expectVectors(
    await embed(visitor, TEXTS, { model: LARGE }),
    TEXTS.map((text) => wholeVector(wordIds('encoder', text))),
  );
});

for (const { name, kind, pooling, longest, prompts } of FAMILIES) {
  test(`a repository laid out as ${name} is read as its files say`, async ({ visitor }) => {
    const model = `o/${name}`;
    const right = (text: string) => {
      const rows = states(kind, text);
      return pooling === 'cls' ? (rows[0] ?? []) : mean(rows);
    };
    await added(visitor, model);
    const facts = { task: 'embedding', embedding: { length: WIDTH }, contextLength: longest };
    expect(await listed(visitor, model)).toMatchObject(facts);
    expectVectors(await embed(visitor, TEXTS, { model }), TEXTS.map(right));
    // With the special tokens at both ends.
    const words = (tokens: number) => 'pears '.repeat(tokens - 2).trim();
    await embed(visitor, [words(longest)], { model });
    await expect(embed(visitor, [words(longest + 1)], { model })).rejects.toThrow(
      `has ${longest + 1} tokens, and this model reads at most ${longest}`,
    );
    await expect(embed(visitor, TEXTS, { model, dimensions: WIDTH / 2 })).rejects.toThrow(
      `must be ${WIDTH}, as long as its vectors are`,
    );
    for (const role of ['query', 'document'] as const) {
      const asked = embed(visitor, TEXTS, { model, input_type: role });
      const prompt = prompts?.[role];
      if (prompt === undefined) await expect(asked).rejects.toThrow('names no prompt for it');
      else
        expectVectors(
          await asked,
          TEXTS.map((text) => right(prompt + text)),
        );
    }
  });
}
