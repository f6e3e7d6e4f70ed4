import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The drivers of this folder wait for the result of an asynchronous condition. */
const OWN_DRIVERS = 'test/browsers/';

test('Playwright is given no asynchronous condition: a promise would count as true at once', () => {
  const files = globSync(['test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.ts']);
  const wrong = files
    .filter((file) => !file.startsWith(OWN_DRIVERS))
    .filter((file) => /waitForFunction\(\s*async/.test(readFileSync(file, 'utf8')));
  expect(files.length).toBeGreaterThan(500);
  expect(wrong).toEqual([]);
});
