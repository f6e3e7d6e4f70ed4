import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test, vi } from 'vitest';
import { relativeLinks } from '../../scripts/build/readme-links.ts';
import { ROOT } from '../../scripts/build/stamp.ts';
import { runIn } from '../package/support/run-in.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

vi.setConfig({ testTimeout: 300_000 });

const README = (example: string) =>
  readFileSync(join(ROOT, 'examples', example, 'README.md'), 'utf8');

/** The commands that a page says after “From an empty folder”. */
function recipe(example: string): string[] {
  const [, commands = ''] = /From an empty folder:\n\n```sh\n(.*?)```/s.exec(README(example)) ?? [];
  return commands.trim().split('\n');
}

/** Runs commands in an empty folder, in which the files are that a page links. */
async function follow(example: string, commands: readonly string[], links: readonly string[]) {
  const folder = temporaryFolder();
  for (const link of links) {
    cpSync(join(ROOT, 'examples', example, link), join(folder, link), { recursive: true });
  }
  for (const command of commands) {
    const given = command.replace(/^npm i slashv1\b/, `npm i ${inject('tarball')}`);
    const { code, stdout, stderr } = await runIn(folder, 'sh', [
      '-c',
      `npm_config_yes=true ${given}`,
    ]);
    expect([command, code, code === 0 ? '' : stdout + stderr]).toEqual([command, 0, '']);
  }
  return folder;
}

test.each([
  ['bundlers', 'dist', 'main.js'],
  ['static', 'public', 'slashv1.js'],
  ['extension', 'dist', 'slashv1.js'],
])('the page of %s is true when it is followed to the letter', async (example, site, script) => {
  const sources = relativeLinks(README(example)).filter((link) => dirname(link) === 'src');
  const folder = await follow(example, recipe(example), sources);
  for (const file of ['engine.js', 'packs/index.json', script])
    expect([file, existsSync(join(folder, site, file))]).toEqual([file, true]);
});

/** What their commands say in addition, so that they ask nothing and download no packages. */
test.each([
  ['vite-react', '--no-interactive'],
  ['sveltekit', '--no-install'],
  ['angular', '--skip-install'],
])('the page of %s makes a site whose packages fit together', async (example, option) => {
  const [create = '', ...others] = recipe(example);
  const installs = others.filter((command) => command.startsWith('npm i'));
  const folder = await follow(
    example,
    [`${create} ${option}`, ...installs.map((each) => `${each} --package-lock-only`)],
    [],
  );
  expect(existsSync(join(folder, 'package-lock.json'))).toBe(true);
});
