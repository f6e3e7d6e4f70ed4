import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { writeOnnxPack } from '../../../../../src/node/pack/writing/onnx-pack.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { json, WHOLE, wordEmbedder } from '../../../../support/onnx/word-embedder.ts';

const OPTIONS = { id: 'o/words', ownedBy: 'o', license: 'mit', created: 0 };

/** Packs a model with these files, and reads the manifest. */
async function packed(files: Map<string, Buffer>): Promise<unknown> {
  const root = temporaryFolder();
  for (const [path, bytes] of files) {
    const place = join(root, 'model', path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes);
  }
  await writeOnnxPack(join(root, 'model'), OPTIONS, join(root, 'pack'));
  return JSON.parse(readFileSync(join(root, 'pack/manifest.json'), 'utf8'));
}

const withConfig = (config: object) => {
  const files = wordEmbedder('encoder');
  const own: object = JSON.parse(files.get('config.json')?.toString() ?? '{}');
  return files.set('config.json', json({ ...own, ...config }));
};

test('an embedder whose graph gives vectors of whole texts is packed without modules.json', async () => {
  expect(await packed(wordEmbedder('encoder', WHOLE))).toMatchObject({
    task: 'embedding',
    embedding: { length: WHOLE },
    contextLength: 64,
  });
});

test('a cross-encoder is packed', async () => {
  const architectures = ['BertForSequenceClassification'];
  expect(await packed(withConfig({ architectures, id2label: { 0: 'LABEL_0' } }))).toMatchObject({
    task: 'rerank',
    contextLength: 64,
  });
  await expect(packed(withConfig({ architectures }))).rejects.toThrow(
    'cannot be packed: its config.json has 0 labels, and a ranker has one.',
  );
});

test('an embedder that nothing describes is refused, and told what to copy', async () => {
  await expect(packed(wordEmbedder('encoder'))).rejects.toThrow(
    /model cannot be packed: it has no modules\.json, and its graph has no output sentence_embedding\. If it embeds texts, copy modules\.json and the files of its modules, such as 1_Pooling\/config\.json, from the model that it was made of\./,
  );
});
