import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npmFile, type NpmFile } from '../src/node/pack/sources/npm-file.ts';
import { python, PYTHON } from '../src/node/pack/sources/python.ts';
import { makeTemporaryFolder } from '../src/node/pack/writing/temporary-folder.ts';

/** The other side of the speech sections. The voices of our own speech model are from the same archive. */
const KOKORO_JS: NpmFile = {
  requirement: 'kokoro-js@1.2.1',
  file: 'kokoro-js-1.2.1.tgz',
  sha256: '1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860',
  size: '27 MB',
};

/** kokoro-js turns text into phonemes with it. It contains eSpeak NG (GPL-3), so it is never shipped. */
const PHONEMIZER: NpmFile = {
  requirement: 'phonemizer@1.2.1',
  file: 'phonemizer-1.2.1.tgz',
  sha256: '12f9f3582f8b5d557a0577180d83ff0458a4a5c15b2efb625ee71c3ebbee22e9',
  size: '1 MB',
};

/**
 * Files of `kokoro-js` as it is published, and of the phonemizer that it imports, by module name. It is
 * not a dependency of this package because it would install a second transformers.js.
 *
 * @param cache - folder for downloads
 */
export async function kokoroJsModules(cache: string): Promise<Record<string, string>> {
  const folder = join(cache, 'bench/kokoro-js');
  const log = (line: string) => process.stderr.write(`bench: ${line}\n`);
  const modules: Record<string, string> = {};
  for (const [name, entry, file] of [
    ['kokoro-js', 'kokoro.js', KOKORO_JS],
    ['phonemizer', 'phonemizer.js', PHONEMIZER],
  ] as const) {
    const archive = await npmFile(file, join(cache, 'downloads'), { log });
    modules[name] = join(await unpacked(archive, join(folder, file.sha256)), 'dist', entry);
  }
  return modules;
}

async function unpacked(archive: string, folder: string): Promise<string> {
  if (existsSync(folder)) return folder;
  mkdirSync(join(folder, '..'), { recursive: true });
  const temporary = makeTemporaryFolder(folder);
  try {
    await python(PYTHON, ['-m', 'tarfile', '-e', archive, temporary], temporary);
    renameSync(join(temporary, 'package'), folder);
    return folder;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
