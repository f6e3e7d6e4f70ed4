import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/build/stamp.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPTS = ['publishable.ts', 'build/readme-links.ts', 'build/repository-of.ts'];

/** A checkout without a named repository. */
function checkout(remote?: string): string {
  const folder = temporaryFolder();
  for (const name of SCRIPTS) cpSync(join(ROOT, 'scripts', name), join(folder, 'scripts', name));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'name', type: 'module' }));
  writeFileSync(join(folder, 'README.md'), '[How to embed it](docs/embed.md)');
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  if (remote) execFileSync('git', ['remote', 'add', 'origin', remote], { cwd: folder });
  return folder;
}

function publishable(folder: string): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, ['scripts/publishable.ts'], { cwd: folder, encoding: 'utf8' });
}

test('the first publication names the repository, and its README leads there', () => {
  const folder = checkout('git@github.com:owner/name.git');
  expect(publishable(folder)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('git+https://github.com/owner/name.git') as unknown,
  });
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    repository: { type: 'git', url: 'git+https://github.com/owner/name.git' },
  });
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(
    '[How to embed it](https://github.com/owner/name/blob/HEAD/docs/embed.md)',
  );
  expect(publishable(folder)).toMatchObject({ status: 0, stderr: '' });
});

test('without a remote that others can reach, nothing is published', () => {
  expect(publishable(checkout())).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('npm pkg set repository.type=git') as unknown,
  });
});
