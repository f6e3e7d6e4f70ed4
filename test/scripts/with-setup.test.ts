import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';

let root: string;

/** Writes a program as a shell script; those in `bin` are on the PATH of the script under test. */
function program(folder: string, name: string, script: string): void {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(root, folder, name), 0o755);
}

function lock(version: string): string {
  const optional = { version: '1.0.0', optional: true };
  return JSON.stringify({
    packages: { '': {}, 'node_modules/node': { version }, 'node_modules/elsewhere': optional },
  });
}

/** Shell commands that leave behind what `npm ci` would. */
function installs(version: string): string {
  return [
    'mkdir -p node_modules/.bin',
    "printf '#!/bin/sh\\necho node $*\\n' > node_modules/.bin/node",
    'chmod +x node_modules/.bin/node',
    `echo '${lock(version)}' > node_modules/.package-lock.json`,
    'echo "$@" >> npm-calls',
  ].join('\n');
}

function start(
  command: string[],
  { path = `${join(root, 'bin')}:/usr/bin:/bin`, node = [''] } = {},
) {
  const flags = node.filter(Boolean);
  return spawn(process.execPath, [...flags, 'scripts/with-setup.mjs', ...command], {
    cwd: root,
    env: { PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ReturnType<typeof start>) {
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { stdout, stderr, code: code as unknown, signal: signal as unknown };
}

async function withSetup(...command: string[]) {
  return ended(start(command));
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'with-setup-'));
  mkdirSync(join(root, 'scripts'));
  copyFileSync('scripts/with-setup.mjs', join(root, 'scripts/with-setup.mjs'));
  writeFileSync(join(root, 'package-lock.json'), lock('26.0.0'));
  program('bin', 'npm', installs('26.0.0'));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

test('installs on the first run only, and says nothing on stdout', async () => {
  const first = await withSetup('echo', 'hello');
  expect(first).toMatchObject({ stdout: 'hello\n', code: 0 });
  expect(first.stderr).toContain('npm ci');
  expect(await withSetup('echo', 'again')).toMatchObject({
    stdout: 'again\n',
    stderr: '',
    code: 0,
  });
});

test('runs the command on the Node that it installed', async () => {
  expect(await withSetup('node', '-e', 'x')).toMatchObject({ stdout: 'node -e x\n' });
});

test('installs again when the lock file asks for another version', async () => {
  await withSetup('true');
  writeFileSync(join(root, 'package-lock.json'), lock('27.0.0'));
  program('bin', 'npm', installs('27.0.0'));
  await withSetup('true');
  const calls = readFileSync(join(root, 'npm-calls'), 'utf8');
  expect(calls).toBe('ci --no-audit --no-fund\n'.repeat(2));
});

test('installs again when the Node that it installed is missing', async () => {
  await withSetup('true');
  rmSync(join(root, 'node_modules/.bin/node'));
  expect((await withSetup('true')).stderr).toContain('npm ci');
});

test('exits with the exit code of the command', async () => {
  expect(await withSetup('sh', '-c', 'exit 7')).toMatchObject({ code: 7, signal: null });
});

test('ends by the signal that ended the command', async () => {
  const end = await withSetup('sh', '-c', 'kill -KILL $$');
  expect(end).toMatchObject({ code: null, signal: 'SIGKILL' });
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('hands %s to the command', async (signal) => {
  const name = signal.slice(3);
  const child = start([
    'sh',
    '-c',
    `trap 'echo got ${name}; exit 3' ${name}; echo up; while :; do sleep 0.01; done`,
  ]);
  child.stdout.once('data', () => child.kill(signal));
  expect(await ended(child)).toMatchObject({ code: 3, stdout: expect.stringContaining('got') });
});

test('ends the command when npm’s shell has ended', async () => {
  await withSetup('true');
  // The shell ends as soon as the command runs, as if a signal had killed it.
  const command = `sh -c 'trap "echo got TERM; exit" TERM; touch up; while :; do sleep 0.01; done'`;
  const script = `${process.execPath} scripts/with-setup.mjs ${command} &
    while ! [ -e up ]; do sleep 0.01; done`;
  const shell = spawn('sh', ['-c', script], {
    cwd: root,
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, npm_lifecycle_event: 'start' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(await ended(shell)).toMatchObject({ stdout: 'got TERM\n' });
});

test('names a command that does not exist', async () => {
  const end = await withSetup('no-such-command');
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('no-such-command') });
});

test('says that npm is missing', async () => {
  const end = await ended(start(['true'], { path: join(root, 'nowhere') }));
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('npm is not in PATH') });
});

test('shows the output and the exit code of an npm ci that fails', async () => {
  program('bin', 'npm', 'echo npm error 404 >&2; exit 9');
  const { code, stderr } = await withSetup('true');
  expect(code).toBe(1);
  expect(stderr).toContain('npm error 404');
  expect(stderr).toContain('exit code 9');
});

test('says that the disk is full', async () => {
  program('bin', 'npm', 'echo npm error ENOSPC >&2; exit 228');
  expect((await withSetup('true')).stderr).toContain('no space left on the disk');
});

test('says when npm did not run the install scripts', async () => {
  program('bin', 'npm', `${installs('26.0.0')}\nrm node_modules/.bin/node`);
  expect((await withSetup('true')).stderr).toContain('ignore-scripts');
});

test('refuses a Node that is too old', async () => {
  const fake = 'Object.defineProperty(process, "versions", { value: { node: "18.1.0" } })';
  writeFileSync(join(root, 'old.cjs'), fake);
  const end = await ended(start(['true'], { node: ['--require', './old.cjs'] }));
  expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('Node.js 20 or newer') });
  expect(existsSync(join(root, 'node_modules'))).toBe(false);
});
