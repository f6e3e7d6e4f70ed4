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

test('one with a pattern that may be searched for ever is refused by name', async () => {
  const read = async (path: string) => {
    const file = await openAsBlob(new URL(basename(path), PACK));
    if (basename(path) !== 'tokenizer.json') return file;
    const pattern = { type: 'Replace', pattern: { Regex: '(a+)+b' }, content: '' };
    const tokenizer: object = JSON.parse(await file.text());
    return new Blob([JSON.stringify({ ...tokenizer, normalizer: pattern })]);
  };
  await expect(TextTokenizer.load(read)).rejects.toThrow(
    'tokenizer.json has a pattern over which a search may never end: (a+)+b',
  );
});
