import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { WEBLLM } from '../../../../src/core/site/engine-files.ts';
import { loadLibrary } from '../../../../src/engine/webllm/load-library.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('a script that is missing or not WebLLM is named, and a later attempt imports it again', async () => {
  const folder = temporaryFolder();
  const base = `${pathToFileURL(folder).href}/`;
  // Node imports scripts from a file, but fetches none.
  vi.stubGlobal(
    'fetch',
    async (url: URL) => new Response(readFileSync(new URL(url.pathname, url))),
  );
  const write = (script: string) => writeFileSync(join(folder, WEBLLM), script);
  await expect(loadLibrary(base)).rejects.toMatchObject({
    data: { status: 500, message: expect.stringContaining(`${base}webllm.js`) as string },
  });
  write('export const other = 1;');
  await expect(loadLibrary(base)).rejects.toThrow("start({ engines: ['llamacpp'] })");
  write('export class MLCEngine {}');
  expect((await loadLibrary(base)).name).toBe('MLCEngine');
});
