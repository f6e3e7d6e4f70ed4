import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shellScript } from '../support/shell-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/**
 * Runs `.ci/run` with a program in the place of npm: shell commands that see npm's arguments as `$*`.
 *
 * @param since - seconds that it seems to have run when it begins
 */
function ci(npm: string, since = 0) {
  const root = temporaryFolder();
  mkdirSync(join(root, '.ci'));
  mkdirSync(join(root, 'bin'));
  copyFileSync('.ci/run', join(root, '.ci/run'));
  shellScript(join(root, 'bin/npm'), `echo "npm $*"\n${npm}`);
  const env = { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, SECONDS: `${since}` };
  const { status, stdout } = spawnSync('bash', ['.ci/run'], { cwd: root, env, encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  return { status, commands: lines.filter((line) => line.startsWith('npm ')), lines };
}

const PASS = `case "$*" in
  test) echo '7 passed, 0 failed, 1 skipped'; echo 'a note of npm' >&2;;
  'run test:rest') echo '9 passed, 0 failed, 2 skipped';;
  'run test:long') echo '5 passed, 0 failed, 1 skipped';;
esac`;

test('CI begins with what README.md says, then runs all other tests and the checks, and adds the counts', () => {
  const { status, commands, lines } = ci(PASS);
  expect(commands).toEqual([
    ...['npm test', 'npm run test:rest', 'npm run build', 'npm run lint', 'npm run types'],
    ...['npm run sizes', 'npm run test:long'],
  ]);
  expect([status, lines.at(-1)]).toEqual([0, '25 passed, 0 failed, 4 skipped']);
});

test('on a machine that has no time for the long part, CI skips that by name', () => {
  const { status, commands, lines } = ci(PASS, 3000);
  expect(commands).not.toContain('npm run test:long');
  expect(lines).toContain('Skipped: npm run test:long, because the other tests took 50 minutes');
  expect([status, lines.at(-1)]).toEqual([0, '20 passed, 0 failed, 4 skipped']);
});

test.each([
  [
    ...[
      'a failed test',
      `printf '\nFailed:\nunit › adds\n\n6 passed, 1 failed, 0 skipped\n'; exit 1`,
    ],
    ...['unit › adds', '24 passed, 1 failed, 3 skipped'],
  ],
  ['a run that is cut short', `exit 1`, 'npm test', '18 passed, 1 failed, 3 skipped'],
  [
    ...['a run without a failed test', `echo '7 passed, 0 failed, 0 skipped'; exit 1`],
    ...['npm test', '25 passed, 1 failed, 3 skipped'],
  ],
  ['a run that only seems to pass', `true`, 'npm test', '18 passed, 1 failed, 3 skipped'],
])('%s is named at the end, and the other parts still run', (_what, commands, name, counts) => {
  const { status, lines } = ci(`if [ "$*" = test ]; then ${commands}; exit; fi\n${PASS}`);
  expect(status).toBe(1);
  expect(lines.slice(-4)).toEqual(['Failed:', name, '', counts]);
  expect(lines).toContain('npm run sizes');
});

test('a check that fails is named', () => {
  const { status, lines } = ci(`${PASS}\n[ "$*" != 'run lint' ]`);
  expect(status).toBe(1);
  expect(lines.slice(-4)).toEqual(['Failed:', 'lint', '', '24 passed, 1 failed, 4 skipped']);
});
