import { expect, test } from 'vitest';
import { sources } from './support/source-lines.ts';

test('no object literal is spread where its members could stand', () => {
  const all = sources();
  expect(all.length).toBeGreaterThan(2_000);
  const packed = all.flatMap(({ path, lines }) =>
    lines.flatMap((line, at) => (/^\.\.\.\{ \w/.test(line) ? [`${path}:${at + 1}: ${line}`] : [])),
  );
  expect(packed).toEqual([]);
});
