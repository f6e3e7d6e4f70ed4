import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { writeOnnxPack } from '../src/node/pack/writing/onnx-pack.ts';
import { ROOT, makeIfChanged } from '../scripts/build/stamp.ts';
import { bertGraph, type BertShape } from './bert-graph.ts';

export const MINILM = 'bench/random-minilm';

/** The sizes of all-MiniLM-L6-v2. */
const SHAPE: BertShape = {
  words: 30_522,
  positions: 512,
  width: 384,
  layers: 6,
  heads: 12,
  feedForward: 1_536,
};

/** The pack whose tokenizer is used, with more words. */
const TINY = join(ROOT, 'models/packs/tiny-embed');
const CACHE = '.cache/bench/random-minilm';

/**
 * The folder of a pack with an embedder of the size of all-MiniLM-L6-v2, 90 MB in 32 bits. Its weights are random: they
 * cost the same as trained ones.
 */
export async function randomMiniLmPack(): Promise<string> {
  await makeIfChanged({
    name: 'bench-minilm',
    inputs: ['bench/random-minilm.ts', 'bench/bert-graph.ts', 'test/support/onnx/onnx.ts'],
    outputs: [`${CACHE}/manifest.json`],
    make: makePack,
  });
  return join(ROOT, CACHE);
}

async function makePack(): Promise<void> {
  const folder = join(ROOT, CACHE);
  const source = `${folder}.source`;
  rmSync(source, { recursive: true, force: true });
  for (const [path, content] of Object.entries(modelFiles())) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), content);
  }
  const options = { id: MINILM, ownedBy: 'bench', license: 'mit', created: 0 };
  await writeOnnxPack(source, options, folder);
  rmSync(source, { recursive: true });
}

/** The model's files, as in a repository on the hub. */
function modelFiles(): Record<string, string | Uint8Array> {
  const { words, positions, width, layers, heads, feedForward } = SHAPE;
  return {
    'config.json': JSON.stringify({
      architectures: ['BertModel'],
      model_type: 'bert',
      hidden_act: 'gelu',
      hidden_size: width,
      intermediate_size: feedForward,
      num_hidden_layers: layers,
      num_attention_heads: heads,
      vocab_size: words,
      max_position_embeddings: positions,
      type_vocab_size: 2,
      pad_token_id: 0,
    }),
    'modules.json': tinyFile('modules.json'),
    '1_Pooling/config.json': JSON.stringify({
      word_embedding_dimension: width,
      pooling_mode_mean_tokens: true,
    }),
    'sentence_bert_config.json': JSON.stringify({ max_seq_length: positions }),
    'tokenizer_config.json': JSON.stringify({
      ...v.parse(v.looseObject({}), JSON.parse(tinyFile('tokenizer_config.json'))),
      model_max_length: positions,
    }),
    'tokenizer.json': tokenizer(words),
    'onnx/model.onnx': bertGraph(SHAPE),
  };
}

const tokenizerSchema = v.looseObject({
  model: v.looseObject({ vocab: v.record(v.string(), v.number()) }),
});

/** @param size - words of the vocabulary */
function tokenizer(size: number): string {
  const file = v.parse(tokenizerSchema, JSON.parse(tinyFile('tokenizer.json')));
  const known = Object.keys(file.model.vocab).length;
  const further = Array.from(
    { length: size - known },
    (_, n) => [`[unused${n}]`, known + n] as const,
  );
  const vocab = { ...file.model.vocab, ...Object.fromEntries(further) };
  return JSON.stringify({ ...file, model: { ...file.model, vocab } });
}

function tinyFile(path: string): string {
  return readFileSync(join(TINY, path), 'utf8');
}
