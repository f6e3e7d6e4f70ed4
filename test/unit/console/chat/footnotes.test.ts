import { expect, test } from 'vitest';
import { codeFileName } from '../../../../src/console/chat/markdown/code/code-file.ts';
import { markdownBlocks } from '../../../../src/console/chat/markdown/markdown-blocks.ts';

test('a footnote is a block with spans, also right below a paragraph', () => {
  const [paragraph, first, second] = markdownBlocks(
    'Salty.[^1] More.[^two]\n[^1]: About **3.5 %**,\n    they say.\n[^two]: `x`',
  );
  expect(paragraph).toMatchObject({
    type: 'paragraph',
    tokens: [
      { type: 'text', raw: 'Salty.' },
      { type: 'footnoteMark', name: '1' },
      { type: 'text', raw: ' More.' },
      { type: 'footnoteMark', name: 'two' },
    ],
  });
  expect(first).toMatchObject({ type: 'footnote', name: '1' });
  expect(first).toMatchObject({ tokens: [{ raw: 'About ' }, { type: 'strong' }, {}, {}, {}] });
  expect(second).toMatchObject({ type: 'footnote', name: 'two', tokens: [{ type: 'codespan' }] });
});

test('brackets that are no footnotes stay what they are', () => {
  const [text] = markdownBlocks('`[^1]` [^ a] [^] [x](https://x.test)');
  expect(text).toMatchObject({
    tokens: [{ type: 'codespan' }, { type: 'text', raw: ' [^ a] [^] ' }, { type: 'link' }],
  });
});

test('code is saved with the usual ending of its language', () => {
  const names = ['python', 'TypeScript', 'rs', 'c++', ''].map(codeFileName);
  expect(names).toEqual(['code.py', 'code.ts', 'code.rs', 'code.txt', 'code.txt']);
});
