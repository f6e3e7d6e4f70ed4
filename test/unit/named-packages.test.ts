import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as v from 'valibot';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = v.object({ devDependencies: v.record(v.string(), v.string()) });
const { devDependencies } = v.parse(
  PACKAGE,
  JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
);

/** The packages that slashv1 is built on, and the files that must import each. */
test.each([
  ['@mlc-ai/web-llm', 'src/engine/webllm/**/*.ts'],
  ['@huggingface/transformers', 'src/engine/onnx/transformers/*.ts'],
  ['workbox-window', 'src/page/worker/*.ts'],
  ['idb', 'src/core/**/*.ts'],
  ['vite', 'scripts/build/*.ts'],
  ['playwright', 'playwright.config.ts'],
])('%s is a dependency that %s imports', (name, files) => {
  expect(Object.keys(devDependencies)).toContain(name);
  const sources = globSync(files, { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  expect(sources.filter((source) => importsOf(source).includes(name))).not.toEqual([]);
});

/** The packages whose values, not only types, the source imports. */
function importsOf(source: string): string[] {
  const statement =
    /^(?:import|export) (?!type )[^;]*?from '((?:@[^/']+\/)?[^/']+)[^']*';|\bimport\('([^']+)'\)/gm;
  return [...source.matchAll(statement)].map(([, named, dynamic]) => named ?? dynamic ?? '');
}
