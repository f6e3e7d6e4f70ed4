import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { launchChromium } from '../../../src/node/serve/chromium.ts';
import { runningProcesses } from '../../support/processes.ts';

// Processes start slowly where the machine is busy.
vi.setConfig({ testTimeout: 60_000 });

/** A program in place of Chromium: a shell script. */
function program(script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const executable = join(folder, 'browser');
  writeFileSync(executable, `#!/bin/sh\ncd ${folder}\n${script}`);
  chmodSync(executable, 0o755);
  return { folder, executable, output: () => readFileSync(join(folder, 'output'), 'utf8') };
}

const launch = (executable: string) =>
  launchChromium({ executable, gpu: 'software', url: 'http://127.0.0.1:1/#bridge=t' });

const isRunning = (id: string) => runningProcesses().some(({ pid }) => pid === Number(id));

test('it gets the page and a folder of its own', async () => {
  const { executable, output } = program('echo "$@" $TMPDIR > output');
  const browser = launch(executable);
  await browser.exited;
  await browser.stop();
  expect(output()).toMatch(
    /--headless=new .*--user-data-dir=(\S+)\/profile http:\S+#bridge=t \1\/tmp/,
  );
});

test('stopping ends all its processes and deletes what they wrote', async () => {
  const { executable, folder, output } = program(
    'sleep 1000 &\necho $! $$ $TMPDIR > unfinished; touch $TMPDIR/file; mv unfinished output; wait',
  );
  const browser = launch(executable);
  await expect.poll(() => existsSync(join(folder, 'output')), { timeout: 5_000 }).toBe(true);
  const [child = '', parent = '', temporary = ''] = output().trim().split(' ');
  expect([isRunning(child), isRunning(parent), existsSync(temporary)]).toEqual([true, true, true]);
  await browser.stop();
  await expect.poll(() => isRunning(child) || isRunning(parent), { timeout: 10_000 }).toBe(false);
  expect(existsSync(join(temporary, '..'))).toBe(false);
});

test('how it ended and its last errors are kept', async () => {
  const { executable } = program(
    'echo "[1:1:INFO:CONSOLE(3)] page error" >&2; echo "[1:1:ERROR:dbus] noise" >&2; exit 7',
  );
  const browser = launch(executable);
  expect(await browser.exited).toBe('Chromium ended (exit code 7).');
  expect(browser.lastErrors()).toBe('[1:1:INFO:CONSOLE(3)] page error');
  await browser.stop();
});

test('a program that cannot be started is an end, too', async () => {
  const browser = launch('/nonexistent/chromium');
  expect(await browser.exited).toContain('/nonexistent/chromium could not be started');
  await browser.stop();
});

test('nothing is left in the temporary folder', async () => {
  const leftovers = () => readdirSync(tmpdir()).filter((name) => /^slashv1-(?!test)/.test(name));
  const before = leftovers();
  const browser = launch(program('exit 0').executable);
  await browser.exited;
  await browser.stop();
  expect(leftovers()).toEqual(before);
});
