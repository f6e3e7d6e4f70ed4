import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { serveHandler } from './support/servers.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const site = temporaryFolder(afterAll);
writeFileSync(join(site, 'index.html'), '<h1>Hi</h1>');
writeFileSync(join(site, 'sw.js'), '//');

/** The command, in a process of its own, without a display. */
function start(args: string[], env: Record<string, string> = {}) {
  const { DISPLAY: _x, WAYLAND_DISPLAY: _wayland, ...rest } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'src/node/cli.ts'), ...args], {
    env: { ...rest, ...env },
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, closed, stdout: text(child.stdout), stderr: text(child.stderr) };
}

async function run(args: string[], env: Record<string, string> = {}) {
  const { closed, stdout, stderr } = start(args, env);
  return { code: await closed, stdout: await stdout, stderr: await stderr };
}

test('--version is that of the package', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(await run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

test.each([
  ['--help'],
  ['serve', '--help'],
  ['pack', '--help'],
  ['init', '--help'],
  ['doctor', '--help'],
])('%s %s prints the usage', async (...args) => {
  const { code, stdout } = await run(args.filter(Boolean));
  expect([code, stdout]).toEqual([0, expect.stringContaining('Usage: slashv1')]);
});

test.each([
  [[], 'A command is missing.'],
  [['frobnicate'], 'There is no command "frobnicate".'],
  [['constructor'], 'There is no command "constructor".'],
  [['serve', '--colour'], "Unknown option '--colour'."],
  [['serve', '--port', 'x'], '--port must be a number'],
])('%j is a usage error', async (args, message) => {
  const { code, stdout, stderr } = await run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toBe(`slashv1: ${stderr.match(/^slashv1: (.*)\n/)?.[1]}\nTry --help.\n`);
  expect(stderr).toContain(message);
});

test('a port in use is named, with the option that changes it', async () => {
  const { port } = new URL(await serveHandler(() => {}));
  const forSite = await run(['serve', site, '--port', port]);
  expect([forSite.code, forSite.stderr]).toEqual([
    1,
    `slashv1: Port ${port} is in use. Choose another with --port <number>, or 0 for any free port.\n`,
  ]);
  const forBridge = await run(['serve', site, '--port=0', '--api-port', port], {
    SLASHV1_CHROMIUM: '/bin/true',
  });
  expect(forBridge.stderr).toContain(`Port ${port} is in use. Choose another with --api-port`);
});

test('a wrong path of the browser is named', async () => {
  const { code, stderr } = await run(['serve', site, '--port=0', '--api-port=0'], {
    SLASHV1_CHROMIUM: '/nonexistent',
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('SLASHV1_CHROMIUM is "/nonexistent"'),
  ]);
});

test('a browser that does not start is restarted three times, then the command fails', async () => {
  const { code, stdout, stderr } = await run(['serve', site, '--port=0', '--api-port=0'], {
    SLASHV1_CHROMIUM: '/bin/false',
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('Restarting it (3 of 3).');
  expect(stderr).toMatch(/slashv1: Chromium ended \(exit code 1\)\.\n$/);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends the command with exit code 0',
  async (signal) => {
    const { child, closed, stderr } = start([
      'serve',
      site,
      '--port=0',
      '--no-headless',
      '--no-open',
    ]);
    child.stderr.once('data', () => child.kill(signal));
    expect(await closed).toBe(0);
    expect(await stderr).toMatch(/^The site is at http:\/\/127\.0\.0\.1:\d+\/\n$/);
  },
);
