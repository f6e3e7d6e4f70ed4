/**
 * Runs the committed packs of tiny-embed and tiny-rerank in transformers.js, on ONNX Runtime's WebAssembly in Node,
 * and compares them with the cases for the tests, whose values ONNX Runtime's Python package computed.
 *
 * usage: node models/training/check-transformers.mjs   (after npm ci)
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const ROOT = new URL('../../', import.meta.url);
const MODULES = new URL('node_modules/', ROOT);
const TOLERANCE = 1e-4;

// The native backend is not installed, so transformers.js is given the WebAssembly one.
const runtime = await import(new URL('onnxruntime-web/dist/ort.node.min.mjs', MODULES));
globalThis[Symbol.for('onnxruntime')] = runtime;
const { AutoModel, AutoModelForSequenceClassification, AutoTokenizer, env, mean_pooling } =
  await import('@huggingface/transformers');
env.allowRemoteModels = false;
env.localModelPath = new URL('models/', ROOT).pathname;
runtime.env.wasm.wasmPaths = new URL('onnxruntime-web/dist/', MODULES).href;
runtime.env.wasm.numThreads = 1;
const OPTIONS = {
  device: 'auto',
  dtype: 'fp32',
  session_options: { executionProviders: ['wasm'] },
};

const cases = (name) =>
  JSON.parse(readFileSync(new URL(`test/fixtures/${name}-cases.json`, ROOT), 'utf8'));
const indexOfMaximum = (values) => values.indexOf(Math.max(...values));
const dot = (a, b) => a.reduce((sum, value, index) => sum + value * b[index], 0);

function assertClose(actual, expected) {
  expected.forEach((value, index) => assert.ok(Math.abs(value - actual[index]) < TOLERANCE));
}

async function checkEmbeddings() {
  const { paraphrases, questions, vectors } = cases('tiny-embed');
  const { prompts } = JSON.parse(
    readFileSync(
      new URL('models/packs/tiny-embed/config_sentence_transformers.json', ROOT),
      'utf8',
    ),
  );
  const tokenizer = await AutoTokenizer.from_pretrained('packs/tiny-embed');
  const model = await AutoModel.from_pretrained('packs/tiny-embed', OPTIONS);
  const embed = async (texts) => {
    const inputs = tokenizer(texts, { padding: true, truncation: true });
    const { last_hidden_state } = await model(inputs);
    return mean_pooling(last_hidden_state, inputs.attention_mask).normalize(2, -1).tolist();
  };

  for (const { text, tokens, vector_start } of vectors) {
    assert.equal(tokenizer.encode(text).length, tokens, text);
    assertClose((await embed([text]))[0], vector_start);
  }
  const pairs = [
    paraphrases.map(({ text, paraphrase }) => [text, paraphrase]),
    questions.map(({ query, passage }) => [prompts.query + query, prompts.document + passage]),
  ];
  for (const sort of pairs) {
    const [firsts, seconds] = [
      await embed(sort.map(([first]) => first)),
      await embed(sort.map(([, second]) => second)),
    ];
    const found = firsts.map((first) =>
      indexOfMaximum(seconds.map((second) => dot(first, second))),
    );
    assert.deepEqual(found, [...sort.keys()]);
  }
  console.log(`tiny-embed: ${vectors.length} vectors, ${pairs.flat().length} pairs`);
}

async function checkScores() {
  const groups = cases('tiny-rerank');
  const tokenizer = await AutoTokenizer.from_pretrained('packs/tiny-rerank');
  const model = await AutoModelForSequenceClassification.from_pretrained(
    'packs/tiny-rerank',
    OPTIONS,
  );
  for (const { query, documents, right, scores } of groups) {
    const queries = documents.map(() => query);
    const { logits } = await model(
      tokenizer(queries, { text_pair: documents, padding: true, truncation: true }),
    );
    assertClose(logits.sigmoid().tolist().flat(), scores);
    assert.equal(indexOfMaximum([...logits.data]), right, query);
  }
  console.log(`tiny-rerank: ${groups.length} questions`);
}

await checkEmbeddings();
await checkScores();
