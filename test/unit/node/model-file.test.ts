import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findModelFile } from '../../../src/node/serve/model-file.ts';
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
  (model) => expect(findModelFile(model)).toBeUndefined(),
);

test('a file is served under its name, and nothing else of its folder is', async () => {
  const found = findModelFile(write('Ein Modell ä%.gguf', '0123456789'));
  write('secret.gguf');
  const url = await serveForTest(createSiteServer(folder, found?.files));
  expect(found?.path).toBe('/slashv1-model/Ein%20Modell%20%C3%A4%25.gguf');
  const response = await fetch(url + found?.path, { headers: { range: 'bytes=2-4' } });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe('bytes 2-4/10');
  expect(await response.text()).toBe('234');
  expect((await fetch(`${url}/slashv1-model/secret.gguf`)).status).toBe(404);
});

test('all parts of a split file are served', () => {
  const [first = '', second] = ['a-00001-of-00002.gguf', 'a-00002-of-00002.gguf'].map((name) =>
    write(name),
  );
  expect(findModelFile(second ?? '')).toEqual({
    path: '/slashv1-model/a-00001-of-00002.gguf',
    files: new Map([
      ['/slashv1-model/a-00001-of-00002.gguf', first],
      ['/slashv1-model/a-00002-of-00002.gguf', second],
    ]),
  });
});

test('a file that is not there, is not GGUF, or lacks a part is an error', () => {
  expect(() => findModelFile(join(folder, 'none.gguf'))).toThrow(
    `--model: there is no file ${join(folder, 'none.gguf')}.`,
  );
  expect(() => findModelFile(write('notes.txt'))).toThrow('notes.txt is not a .gguf file.');
  expect(() => findModelFile(write('b-00001-of-00002.gguf'))).toThrow(
    'b-00001-of-00002.gguf is missing: b-00002-of-00002.gguf.',
  );
});
