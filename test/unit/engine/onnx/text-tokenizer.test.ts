import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { TextTokenizer } from '../../../../src/engine/onnx/transformers/text-tokenizer.ts';

const PACK = new URL('../../../../models/packs/tiny-hear/', import.meta.url);

test('tokens become text, and no tokens an empty one', async () => {
  const tokenizer = await TextTokenizer.load((path) => openAsBlob(new URL(basename(path), PACK)));
  const ids = tokenizer.plainIds(' blue green');
  expect(tokenizer.text(ids)).toBe(' blue green');
  expect(tokenizer.text([])).toBe('');
});
