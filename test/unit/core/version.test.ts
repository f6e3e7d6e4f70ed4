import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../../src/core/version.ts';

test('the version is the package’s', () => {
  const file = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ version: VERSION });
});
