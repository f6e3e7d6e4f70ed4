import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { beforeEach, expect, test } from 'vitest';
import { freshSite, inline, precached, read, root, write } from './vite-site.ts';

beforeEach(freshSite);

test('precaches page, scripts, styles, icons and the engine; revisions are of the content, unless the name is', async () => {
  write('main.js', 'import "./style.css";');
  write('style.css', 'p { color: red; }');
  await build(inline({ packs: ['models/tiny'] }));
  const entries = precached();
  const assets = readdirSync(join(root, 'dist/assets')).map((file) => `assets/${file}`);
  const urls = [...assets, 'engine.js', 'icons/icon.svg', 'index.html'];
  expect(entries.map(({ url }) => url)).toEqual(urls.sort());
  for (const { url, revision } of entries) {
    const hash = createHash('sha256')
      .update(read(`dist/${url}`))
      .digest('hex');
    expect(revision).toBe(url.startsWith('assets/') ? null : hash.slice(0, 16));
  }
});

test('files whose names stay have revisions, also where a plugin has chosen the name', async () => {
  write('main.js', 'import "./style.css";');
  write('style.css', 'p { color: red; }');
  const names = { entryFileNames: '[name].js', assetFileNames: '[name][extname]' };
  await build({ ...inline({}), build: { rollupOptions: { output: names } } });
  expect(precached().filter(({ revision }) => revision === null)).toEqual([]);
  const chosen = {
    name: 'chosen',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'assets/chosen-12345678.css', source: 'p {}' });
    },
  } satisfies Plugin;
  const { plugins, ...options } = inline({});
  await build({ ...options, plugins: [chosen, ...plugins] });
  expect(precached().find(({ url }) => url.includes('chosen'))?.revision).toMatch(/^[\da-f]{16}$/);
});
