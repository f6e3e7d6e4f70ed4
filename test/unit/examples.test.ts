import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const EXAMPLES = join(import.meta.dirname, '../../examples');

/** Blank lines and comments count, too. */
function linesOf(example: string): number {
  const folder = join(EXAMPLES, example);
  const files = readdirSync(folder).filter((name) => /\.(js|html|css)$/.test(name));
  const texts = files.map((name) => readFileSync(join(folder, name), 'utf8').trimEnd());
  return texts.flatMap((text) => text.split('\n')).length;
}

test.each([
  ['rag', 120],
  ['notes', 250],
  ['router', 100],
])('the example %s has no more lines than its README says', (example, most) => {
  const lines = linesOf(example);
  expect(lines).toBeGreaterThan(50);
  expect(lines).toBeLessThanOrEqual(most);
  expect(readFileSync(join(EXAMPLES, example, 'README.md'), 'utf8')).toContain(`${most} lines`);
});
