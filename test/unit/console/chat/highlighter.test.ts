import { expect, test } from 'vitest';
import { highlight } from '../../../../src/console/chat/markdown/highlighter.ts';

test('code has parts by their kinds, and together they are the code', () => {
  const code = 'const a = `x ${1}`; // <b>\n';
  const parts = highlight(code, 'ts') ?? [];
  expect(parts.map(({ text }) => text).join('')).toBe(code);
  expect(parts).toContainEqual({ kind: 'hljs-keyword', text: 'const' });
  expect(parts).toContainEqual({ kind: 'hljs-number', text: '1' });
  expect(parts).toContainEqual({ kind: 'hljs-comment', text: '// <b>' });
});

test('an unknown language has none', () => {
  expect(highlight('a', 'no-such-language')).toBeUndefined();
});
