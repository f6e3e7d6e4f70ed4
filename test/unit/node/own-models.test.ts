import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findModels } from '../../../src/node/serve/own-models.ts';
import { createSiteServer } from '../../../src/node/serve/site-server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { serveForTest } from './support/servers.ts';

const folder = temporaryFolder(afterAll);

function write(name: string, text = name): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test.each(['owner/name', 'owner/name:file.gguf', 'https://host/a.gguf', ''])(
  '%j is not a file on this computer',
  (model) => {
    const { at, files } = findModels([model]);
    expect([at('http://site'), files.size]).toEqual([[model], 0]);
  },
);

test('a file is served under its name, and nothing else of its folder is', async () => {
  const found = findModels([write('Ein Modell ä%.gguf', '0123456789')]);
  write('secret.gguf');
  const url = await serveForTest(createSiteServer(folder, found.files));
  const [model = ''] = found.at(url);
  expect(model).toBe(`${url}/slashv1-model/Ein%20Modell%20%C3%A4%25.gguf`);
  const response = await fetch(model, { headers: { range: 'bytes=2-4' } });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe('bytes 2-4/10');
  expect(await response.text()).toBe('234');
  expect((await fetch(`${url}/slashv1-model/secret.gguf`)).status).toBe(404);
});

test('all parts of a split file are served', () => {
  const [first = '', second] = ['a-00001-of-00002.gguf', 'a-00002-of-00002.gguf'].map((name) =>
    write(name),
  );
  const { at, files } = findModels([second ?? '']);
  expect(at('')).toEqual(['/slashv1-model/a-00001-of-00002.gguf']);
  expect(files).toEqual(
    new Map([
      ['/slashv1-model/a-00001-of-00002.gguf', first],
      ['/slashv1-model/a-00002-of-00002.gguf', second],
    ]),
  );
});

test('a file that is not there, is not GGUF, or lacks a part is an error', () => {
  expect(() => findModels([join(folder, 'none.gguf')])).toThrow(
    `--model: there is no file ${join(folder, 'none.gguf')}.`,
  );
  expect(() => findModels([write('notes.txt')])).toThrow('notes.txt is not a .gguf file.');
  expect(() => findModels([write('b-00001-of-00002.gguf')])).toThrow(
    'b-00001-of-00002.gguf is missing: b-00002-of-00002.gguf.',
  );
});

const PACK = 'models/packs/tiny-embed';

test('the files of a pack are served below its folder, and several models at once', async () => {
  const { at, files } = findModels([PACK, 'owner/name', write('c.gguf')]);
  expect(at('http://site')).toEqual([
    'http://site/slashv1-model/tiny-embed/',
    'owner/name',
    'http://site/slashv1-model/c.gguf',
  ]);
  const url = await serveForTest(createSiteServer(folder, files));
  const manifest = await fetch(`${url}/slashv1-model/tiny-embed/manifest.json`);
  expect(await manifest.json()).toMatchObject({ format: 'slashv1-pack' });
  expect((await fetch(`${url}/slashv1-model/tiny-embed/README.md`)).status).toBe(404);
});

test('an incomplete pack, and two models of one name, are errors', () => {
  mkdirSync(join(folder, 'broken'));
  write('broken/manifest.json', '{}');
  expect(() => findModels([join(folder, 'broken')])).toThrow('--model: ');
  mkdirSync(join(folder, 'other'));
  expect(() => findModels([write('d.gguf'), write('other/d.gguf')])).toThrow(
    'two models are named d.gguf. Rename one.',
  );
});
