import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/build/stamp.ts';
import { PYTHON } from '../../src/node/pack/sources/python.ts';

const FOLDER = join(ROOT, 'test/intelligibility');
const VENV = join(ROOT, '.cache/intelligibility');
const BIN = join(VENV, process.platform === 'win32' ? 'Scripts' : 'bin');

/**
 * What a speech recogniser hears in each of the files.
 *
 * @param paths - 16 kHz, 16-bit PCM, mono
 */
export function recognise(paths: string[]): string[] {
  const python = join(BIN, 'python');
  if (!existsSync(python)) execFileSync(PYTHON, ['-m', 'venv', VENV]);
  const install = ['-m', 'pip', 'install', '--quiet', '--no-deps', '-r'];
  execFileSync(python, [...install, join(FOLDER, 'requirements.txt')], { stdio: 'inherit' });
  const output = execFileSync(python, [join(FOLDER, 'recognise.py'), ...paths], {
    encoding: 'utf8',
  });
  return output.trimEnd().split('\n');
}

/** The number of wrong, missing and additional words, divided by the number of words that were said. */
export function wordErrorRate(said: string, heard: string): number {
  const [words, others] = [wordsOf(said), wordsOf(heard)];
  let row = Array.from({ length: others.length + 1 }, (_, index) => index);
  for (const [index, word] of words.entries()) {
    const next = [index + 1];
    for (const [at, other] of others.entries()) {
      const replaced = (row[at] ?? 0) + (word === other ? 0 : 1);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return (row.at(-1) ?? 0) / words.length;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[a-z']+/g) ?? [];
}
