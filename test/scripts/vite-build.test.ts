import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { build } from '../../scripts/build/vite-build.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vite-build-'));
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'index.html'), '<script type="module" src="src/main.js"></script>');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true });
});

test.each([
  ['a build', 'console.log("up")', true],
  ['a build that fails', 'import "./missing.js"', false],
])('%s leaves the environment of the next command as it was', async (_what, code, succeeds) => {
  // The shell of a newcomer lacks the variable; Vitest sets it.
  vi.stubEnv('NODE_ENV', undefined);
  const before = { ...process.env };
  writeFileSync(join(root, 'src/main.js'), code);
  const end = build({ configFile: false, root, logLevel: 'silent' });
  expect(
    await end.then(
      () => true,
      () => false,
    ),
  ).toBe(succeeds);
  expect({ ...process.env }).toEqual(before);
});
