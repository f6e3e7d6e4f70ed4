import { expect, test } from 'vitest';
import {
  readRankerConfig,
  readSentenceConfig,
  readWholeConfig,
} from '../../../../../src/core/files/retrieval/sentence-config.ts';

const MODULES = [
  { idx: 0, name: '0', path: '', type: 'sentence_transformers.models.Transformer' },
  { idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling' },
];
const MINILM = {
  'config.json': { hidden_size: 384, max_position_embeddings: 512 },
  'modules.json': MODULES,
  '1_Pooling/config.json': { word_embedding_dimension: 384, pooling_mode_mean_tokens: true },
};

type Files = Record<string, unknown>;

const read = (files: Files) => readSentenceConfig((path) => Promise.resolve(files[path]));

test('a model says its pooling, its length and how much it reads', async () => {
  expect(await read(MINILM)).toEqual({
    embedding: { length: 384 },
    pooling: ['mean'],
    poolsWithoutPrompt: false,
    furtherModules: [],
    maxTokens: 512,
    prompts: {},
    moduleFiles: ['1_Pooling/config.json'],
  });
});

test('the least of its limits counts', async () => {
  const tokenizer = { model_max_length: 1e30 };
  const files = { ...MINILM, 'tokenizer_config.json': tokenizer };
  expect(await read(files)).toMatchObject({ maxTokens: 512 });
  const sentence = { max_seq_length: 256, do_lower_case: false };
  expect(await read({ ...files, 'sentence_bert_config.json': sentence })).toMatchObject({
    maxTokens: 256,
  });
});

test('prompts, Matryoshka lengths and further modules are read', async () => {
  const config = {
    ...MINILM,
    'config.json': { ...MINILM['config.json'], matryoshka_dimensions: [384, 64] },
    'modules.json': [
      ...MODULES,
      { path: '2_Dense', type: 'sentence_transformers.models.Dense' },
      { path: '3_Normalize', type: 'sentence_transformers.models.Normalize' },
    ],
    'config_sentence_transformers.json': { prompts: { query: 'q: ', document: '', other: null } },
  };
  expect(await read(config)).toMatchObject({
    embedding: { length: 384, dimensions: [64, 384] },
    furtherModules: ['Dense'],
    prompts: { query: 'q: ', document: '' },
  });
});

test('several poolings make a longer vector', async () => {
  const pooling = { ...MINILM['1_Pooling/config.json'], pooling_mode_cls_token: true };
  expect(await read({ ...MINILM, '1_Pooling/config.json': pooling })).toMatchObject({
    embedding: { length: 768 },
    pooling: ['cls', 'mean'],
  });
});

test('vectors of several poolings are joined in the order of sentence-transformers', async () => {
  const flags = [
    ...['cls_token', 'mean_tokens', 'max_tokens', 'mean_sqrt_len_tokens'],
    ...['weightedmean_tokens', 'lasttoken'],
  ];
  const pooling = Object.fromEntries(flags.map((flag) => [`pooling_mode_${flag}`, true]));
  expect(await read({ ...MINILM, '1_Pooling/config.json': pooling })).toMatchObject({
    pooling: ['cls', 'max', 'mean', 'mean_sqrt_len', 'weighted_mean', 'last'],
  });
});

test('newer versions of sentence-transformers name the pooling modes in one member', async () => {
  const config = (pooling_mode: unknown) =>
    read({ ...MINILM, '1_Pooling/config.json': { embedding_dimension: 96, pooling_mode } });
  expect(await config('lasttoken')).toMatchObject({ embedding: { length: 96 }, pooling: ['last'] });
  expect(await config(['mean', 'cls'])).toMatchObject({
    embedding: { length: 192 },
    pooling: ['mean', 'cls'],
  });
  await expect(config('attention')).rejects.toThrow(
    "its 1_Pooling/config.json names the pooling mode 'attention', which is not known",
  );
});

test.each([
  [{ max_position_embeddings: 2_048, n_positions: 8_192 }, 8_192],
  [{ n_positions: 1_024 }, 1_024],
  [{ model_type: 'xlm-roberta', max_position_embeddings: 514, pad_token_id: 1 }, 512],
  [{ model_type: 'mpnet', max_position_embeddings: 514 }, 512],
  [{ model_type: 'bert', max_position_embeddings: 512, pad_token_id: 0 }, 512],
])('a text has as many tokens as have positions: %j', async (config, maxTokens) => {
  const files = { ...MINILM, 'config.json': config };
  expect(await read(files)).toMatchObject({ maxTokens });
});

test('modules are read in the folders that modules.json names', async () => {
  const files = {
    'config.json': MINILM['config.json'],
    'modules.json': [
      MODULES[0],
      { path: 'pool', type: 'sentence_transformers.models.Pooling' },
      { path: 'pool/2', type: 'sentence_transformers.models.Dense' },
    ],
    'pool/config.json': { ...MINILM['1_Pooling/config.json'], include_prompt: false },
    'pool/2/config.json': { in_features: 384, out_features: 96 },
  };
  expect(await read(files)).toMatchObject({
    pooling: ['mean'],
    poolsWithoutPrompt: true,
    embedding: { length: 96 },
    moduleFiles: ['pool/config.json', 'pool/2/config.json'],
  });
});

test('a model whose graph gives whole vectors needs no modules', async () => {
  const whole = (files: Files, length?: number) =>
    readWholeConfig((path) => Promise.resolve(files[path]), length);
  const { 'config.json': config } = MINILM;
  expect(await whole({ 'config.json': config })).toMatchObject({
    embedding: { length: 384 },
    pooling: [],
    maxTokens: 512,
  });
  expect(await whole({ 'config.json': config }, 96)).toMatchObject({ embedding: { length: 96 } });
  const wordless = { max_position_embeddings: 512 };
  await expect(whole({ 'config.json': wordless })).rejects.toThrow('has no hidden_size');
});

test.each<[Files, string]>([
  [
    { 'config.json': { ...MINILM['config.json'], lora_adaptations: ['retrieval.query'] } },
    'its config.json has lora_adaptations: its graph needs the name of a task',
  ],
  [{ 'modules.json': undefined }, 'it has no modules.json'],
  [{ 'modules.json': { a: 1 } }, 'its modules.json cannot be used'],
  [{ 'modules.json': MODULES.slice(0, 1) }, 'its modules.json names no pooling'],
  [{ '1_Pooling/config.json': undefined }, 'it has no 1_Pooling/config.json'],
  [{ '1_Pooling/config.json': {} }, 'names no pooling mode'],
  [{ 'config.json': undefined }, 'it has no config.json'],
  [{ 'config.json': {} }, 'do not say how long a text may be'],
])('nothing is guessed: %j', async (change, message) => {
  await expect(read({ ...MINILM, ...change })).rejects.toThrow(message);
});

test('a cross-encoder has one label', async () => {
  const ranker = (labels: object) =>
    readRankerConfig((path) =>
      Promise.resolve(
        path === 'config.json' ? { max_position_embeddings: 512, id2label: labels } : undefined,
      ),
    );
  expect(await ranker({ 0: 'LABEL_0' })).toEqual({ maxTokens: 512 });
  await expect(ranker({ 0: 'a', 1: 'b' })).rejects.toThrow('has 2 labels, and a ranker has one');
});
