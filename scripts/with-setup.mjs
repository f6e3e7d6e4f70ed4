// Runs its arguments as a command, and runs `npm ci` first if a dependency is missing:
//   node scripts/with-setup.mjs node scripts/build.ts
// It runs on the system's Node before anything is installed, so it imports only Node's own modules.
// All its messages go to stderr, because stdout belongs to the command.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');
const BIN = join(MODULES, '.bin');
const WINDOWS = process.platform === 'win32';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

function fail(message) {
  process.stderr.write(`slashv1: ${message}\n`);
  process.exit(1);
}

/** The `packages` of a lock file; undefined if the file is missing or cannot be parsed. */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Whether node_modules has the packages and versions of the lock file. npm writes
 * `node_modules/.package-lock.json` at the end of an install. It lacks optional packages of other platforms.
 */
function isInstalled() {
  const wanted = readLock(join(ROOT, 'package-lock.json'));
  const present = readLock(join(MODULES, '.package-lock.json'));
  if (!wanted) fail('package-lock.json is missing or damaged: restore it with git.');
  if (!present || !existsSync(join(BIN, WINDOWS ? 'node.cmd' : 'node'))) return false;
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    return present[path] ? present[path].version === version : optional === true;
  });
}

/** This process's environment, with `node_modules/.bin` first in PATH (`bin`) or not in PATH at all. */
function environment({ bin }) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const rest = (process.env[name] ?? '').split(delimiter).filter((folder) => folder !== BIN);
  return { ...process.env, [name]: (bin ? [BIN, ...rest] : rest).join(delimiter) };
}

/**
 * Calls `start`, which spawns a child, and resolves when the child has ended: with `code` and `signal`, or
 * with `error` if the child could not be started. Signals are passed on to the child, except for Ctrl-C at
 * a terminal, which the child receives itself as a member of the same process group.
 */
async function runChild(start) {
  let child;
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const forward = (signal) => {
    if (atTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
    child.kill(signal);
  };
  // Set before the child is spawned: a signal may arrive before spawn returns.
  for (const signal of SIGNALS) process.on(signal, forward);
  const watch = onceOrphaned(() => child.kill('SIGTERM'));
  const end = await new Promise((resolve) => {
    child = start();
    child.once('error', (error) => resolve({ error }));
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  for (const signal of SIGNALS) process.off(signal, forward);
  clearInterval(watch);
  return end;
}

/**
 * A signal may end npm or its shell without reaching this process. So if this process was started by npm
 * and its parent has gone, `end` is called.
 */
function onceOrphaned(end) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (!process.env.npm_lifecycle_event || process.ppid === parent) return;
    clearInterval(watch);
    end();
  }, 250);
  return watch;
}

/** Ends this process as the child ended, by the same code or signal; does not return. */
function exitLike({ code, signal }) {
  if (!signal) process.exit(code);
  process.kill(process.pid, signal);
  // Reached if the signal cannot end this process, e.g. process 1 of a container: a shell's code for it.
  process.exit(128 + (constants.signals[signal] ?? 0));
}

function explainFailure({ error, code }, output) {
  if (error?.code === 'ENOENT') return 'npm is not in PATH. Install npm (it comes with Node.js).';
  if (error) return `npm could not be started: ${error.message}`;
  if (/ENOSPC|no space left/i.test(output)) {
    return `no space left on the disk of ${ROOT}. The dependencies need about 700 MB. (npm ci: exit code ${code})`;
  }
  return `npm ci failed with exit code ${code}. Its output is above.`;
}

/** Runs `npm ci` without `node_modules/.bin` in PATH: npm must not run on the Node that it will delete. */
async function install() {
  process.stderr.write('slashv1: installing dependencies (npm ci)\n');
  let output = '';
  const end = await runChild(() => {
    const npm = spawn('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: ROOT,
      env: environment({ bin: false }),
      stdio: ['ignore', 2, 'pipe'],
      shell: WINDOWS,
    });
    npm.stderr?.on('data', (chunk) => {
      output += chunk;
      process.stderr.write(chunk);
    });
    return npm;
  });
  if (end.signal) exitLike(end);
  if (end.error || end.code !== 0) fail(explainFailure(end, output));
  if (!isInstalled()) {
    fail(
      'npm ci ran, but node_modules is incomplete. The package "node" needs its install script: ' +
        'if npm is set to ignore scripts, run `npm config set ignore-scripts false`.',
    );
  }
}

const [command, ...commandArguments] = process.argv.slice(2);
if (!command) fail('with-setup needs a command as its arguments.');
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  fail(
    `Node.js ${OLDEST_NODE} or newer is needed; this is ${process.version}. See https://nodejs.org`,
  );
}
if (!isInstalled()) await install();
const end = await runChild(() =>
  spawn(command, commandArguments, {
    env: environment({ bin: true }),
    stdio: 'inherit',
    shell: WINDOWS,
  }),
);
if (end.error) fail(`${command} could not be started: ${end.error.message}`);
exitLike(end);
