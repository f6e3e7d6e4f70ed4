import { expect, test } from 'vitest';
import {
  codeSlices,
  LONGEST_SLICE,
} from '../../../../src/console/chat/markdown/code/code-slices.ts';
import { highlight } from '../../../../src/console/chat/markdown/code/highlighter.ts';

const { signal } = new AbortController();

test('code has parts by their kinds, and together they are the code', async () => {
  const code = 'const a = `x ${1}`; // <b>\n';
  const parts = (await highlight(code, 'ts', signal)) ?? [];
  expect(parts.map(({ text }) => text).join('')).toBe(code);
  expect(parts).toContainEqual({ kind: 'hljs-keyword', text: 'const' });
  expect(parts).toContainEqual({ kind: 'hljs-number', text: '1' });
  expect(parts).toContainEqual({ kind: 'hljs-comment', text: '// <b>' });
});

test('an unknown language has none', async () => {
  expect(await highlight('a', 'no-such-language', signal)).toBeUndefined();
});

test('long code is coloured from its beginning to its end', async () => {
  const count = 1_000;
  const code = Array.from(
    { length: count },
    (_, at) => `/*\n * Number ${at}.\n */\nfunction f${at}() {\n  return \`\n${at}\`;\n}\n`,
  ).join('\n');
  expect(code.length).toBeGreaterThan(50_000);
  const parts = (await highlight(code, 'ts', signal)) ?? [];
  const named = (kind: string) => parts.filter((part) => part.kind === kind);
  expect(parts.map(({ text }) => text).join('')).toBe(code);
  expect(named('hljs-comment')).toHaveLength(count);
  expect(named('hljs-string')).toHaveLength(count);
  expect(named('hljs-keyword')).toHaveLength(2 * count);
});

test('colouring ends when nobody looks at it any more', async () => {
  const left = new AbortController();
  const parts = highlight('const a = 1;\n'.repeat(2_000), 'ts', left.signal);
  left.abort();
  await expect(parts).rejects.toThrow('aborted');
});

test.each([
  ['lines', 'const a = 1;\n'.repeat(2_000)],
  ['a line that never ends', 'a'.repeat(30_001)],
  ['emoji', `a${'😀'.repeat(10_000)}`],
  ['blank lines', '\n'.repeat(20_000)],
  ['statements', 'if (a) {\n\n  b();\n}\n\n'.repeat(1_000)],
  ['nothing', ''],
])('slices of %s are short, and together they are the code', (_, code) => {
  const slices = codeSlices(code);
  expect(slices.join('')).toBe(code);
  expect(Math.max(...slices.map(({ length }) => length))).toBeLessThanOrEqual(LONGEST_SLICE);
  expect(slices.length).toBeLessThanOrEqual(Math.ceil((2 * code.length) / LONGEST_SLICE) + 1);
  for (const slice of slices) expect(slice.isWellFormed()).toBe(true);
});
