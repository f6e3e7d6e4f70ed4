import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { manifestSchema } from '../../../../../src/core/catalog/pack-manifest.ts';
import { readGgufModel } from '../../../../../src/node/pack/formats/gguf-model.ts';
import { variantFiles } from '../../../../../src/node/pack/writing/manifest.ts';

const PACK = fileURLToPath(new URL('../../../../../models/packs/tiny-chat', import.meta.url));

/** The committed manifest. If it is wrong, `models/tiny-chat/pack.sh` writes it again. */
const manifest = v.parse(
  manifestSchema,
  JSON.parse(readFileSync(join(PACK, 'manifest.json'), 'utf8')),
);

test('the committed pack of tiny-chat has the files that its manifest names', () => {
  expect(manifest.variants.map(({ engine }) => engine)).toEqual(['webllm', 'llamacpp']);
  for (const { files, revision } of manifest.variants) {
    const paths = files.map(({ path }) => path);
    expect(variantFiles(PACK, paths)).toEqual({ revision, files });
  }
});

test('its manifest tells the memory that the header of its GGUF file tells now', async () => {
  const variant = manifest.variants.find(({ engine }) => engine === 'llamacpp');
  const { memory, quantization } = await readGgufModel(join(PACK, 'tiny-chat-F32.gguf'));
  expect(variant).toMatchObject({ memory, quantization });
});
