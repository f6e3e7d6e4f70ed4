import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { expect, test } from 'vitest';

const lockSchema = v.object({
  packages: v.record(
    v.string(),
    v.object({ optionalDependencies: v.optional(v.record(v.string(), v.string()), {}) }),
  ),
});

// `npm install` may drop packages of other platforms from the lock file. Then `npm ci` fails there.
test('the lock file holds the packages of every platform', () => {
  const path = new URL('../../package-lock.json', import.meta.url);
  const { packages } = v.parse(lockSchema, JSON.parse(readFileSync(path, 'utf8')));
  const wanted = Object.values(packages).flatMap((each) => Object.keys(each.optionalDependencies));
  expect(wanted.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
});
