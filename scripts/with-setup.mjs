// Runs the rest of its arguments as a command, after `npm ci` where something is missing:
//   node scripts/with-setup.mjs node scripts/build.ts
// It runs on the system's Node, before anything is installed, so it uses nothing but Node itself.
// All it says goes to stderr: stdout belongs to the command.
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

/** The `packages` of a lock file; undefined where there is none, or where it was cut short. */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/**
 * Is what the lock file asks for in node_modules? npm keeps its own stamp there, `.package-lock.json`,
 * written when an install has ended. Optional packages of other platforms are not in it.
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

/** This process's environment with `node_modules/.bin` first in PATH, or nowhere in it. */
function environment({ bin }) {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const rest = (process.env[name] ?? '').split(delimiter).filter((folder) => folder !== BIN);
  return { ...process.env, [name]: (bin ? [BIN, ...rest] : rest).join(delimiter) };
}

/**
 * Runs `start`, which spawns a child, and resolves with how the child ended: `error` where it could not
 * be started. Meanwhile signals are passed on. Ctrl-C at a terminal reaches the child by itself, as a
 * member of the same process group.
 */
async function ending(start) {
  let child;
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const forward = (signal) => {
    if (atTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT')) return;
    child.kill(signal);
  };
  // Before the child starts: it may be at work, and be asked to end, before spawn returns.
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
 * A signal to npm may end its shell, or npm itself, without reaching us. So under npm, to lose our parent
 * means to be asked to end.
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

/** Ends this process the way the child ended; does not return. */
function endLike({ code, signal }) {
  if (!signal) process.exit(code);
  process.kill(process.pid, signal);
  // Where the signal cannot end this process, as in a container's first one: the shell's code for it.
  process.exit(128 + (constants.signals[signal] ?? 0));
}

function explainFailure({ error, code }, output) {
  if (error?.code === 'ENOENT') return 'npm is not in PATH. Install npm (it comes with Node.js).';
  if (error) return `npm could not be started: ${error.message}`;
  if (/ENOSPC|no space left/i.test(output)) {
    return `no space left on the disk of ${ROOT}: the tools need about 700 MB. (npm ci: exit code ${code})`;
  }
  return `npm ci failed with exit code ${code}; its output is above.`;
}

/** Without `node_modules/.bin` in PATH: npm must not run on the Node that it is about to delete. */
async function install() {
  process.stderr.write('slashv1: installing dependencies (npm ci)\n');
  let output = '';
  const end = await ending(() => {
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
  if (end.signal) endLike(end);
  if (end.error || end.code !== 0) fail(explainFailure(end, output));
  if (!isInstalled()) {
    fail(
      'npm ci ran, but node_modules is incomplete. The package "node" installs by a script: ' +
        'if npm is set to ignore scripts, run `npm config set ignore-scripts false`.',
    );
  }
}

const [command, ...commandArguments] = process.argv.slice(2);
if (!command) fail('with-setup needs a command to run.');
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  fail(
    `Node.js ${OLDEST_NODE} or newer is needed; this is ${process.version}. See https://nodejs.org`,
  );
}
if (!isInstalled()) await install();
const end = await ending(() =>
  spawn(command, commandArguments, {
    env: environment({ bin: true }),
    stdio: 'inherit',
    shell: WINDOWS,
  }),
);
if (end.error) fail(`${command} could not be started: ${end.error.message}`);
endLike(end);
