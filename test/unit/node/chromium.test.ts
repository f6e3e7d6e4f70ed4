import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { launchChromium } from '../../../src/node/serve/browser/chromium.ts';
import { runningProcesses } from '../../support/processes.ts';
import { shellScript } from '../../support/shell-script.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

/** A program in place of Chromium: a shell script. */
function program(script: string) {
  const folder = temporaryFolder();
  const executable = shellScript(join(folder, 'browser'), `cd ${folder}\n${script}`);
  return { folder, executable, output: () => readFileSync(join(folder, 'output'), 'utf8') };
}

const SECRET = 'bridge=Qx7_secret';

const launch = (executable: string) =>
  launchChromium({ executable, gpu: 'software', url: `http://127.0.0.1:1/#${SECRET}` });

const isRunning = (id: string) => runningProcesses().some(({ pid }) => pid === Number(id));

/** Shell command that prints the first message on the debugging pipe. */
const READ_PIPE = "dd bs=65536 count=1 <&3 2>/dev/null | tr -d '\\0'";

test('the browser gets its own profile and its own temporary folder', async () => {
  const { executable, output } = program('echo "$@" $TMPDIR > output');
  const browser = launch(executable);
  await browser.exited;
  await browser.stop();
  expect(output()).toMatch(/--headless=new .*--user-data-dir=(\S+)\/profile .*\1\/tmp/);
});

test('the address is sent over a pipe and is not an argument', async () => {
  const { executable, folder, output } = program(
    `echo "$@" > arguments; ${READ_PIPE} > unfinished; mv unfinished output; sleep 1000`,
  );
  const browser = launch(executable);
  await expect.poll(() => existsSync(join(folder, 'output'))).toBe(true);
  expect(JSON.parse(output())).toMatchObject({
    method: 'Target.createTarget',
    params: { url: `http://127.0.0.1:1/#${SECRET}` },
  });
  expect(readFileSync(join(folder, 'arguments'), 'utf8')).not.toContain(SECRET);
  expect(runningProcesses().filter(({ command }) => command.includes(SECRET))).toEqual([]);
  await browser.stop();
});

test('if the browser cannot open the address, its errors say why', async () => {
  const { executable } = program(
    `${READ_PIPE} > output; printf '{"id":1,"error":{"message":"No."}}\\0' >&4; sleep 1000`,
  );
  const browser = launch(executable);
  await expect.poll(() => browser.lastErrors()).toBe('{"id":1,"error":{"message":"No."}}');
  await browser.stop();
});

test('stopping ends all its processes and deletes their files', async () => {
  const { executable, folder, output } = program(
    'sleep 1000 &\necho $! $$ $TMPDIR > unfinished; touch $TMPDIR/file; mv unfinished output; wait',
  );
  const browser = launch(executable);
  await expect.poll(() => existsSync(join(folder, 'output'))).toBe(true);
  const [child = '', parent = '', temporary = ''] = output().trim().split(' ');
  expect([isRunning(child), isRunning(parent), existsSync(temporary)]).toEqual([true, true, true]);
  await browser.stop();
  await expect.poll(() => isRunning(child) || isRunning(parent)).toBe(false);
  expect(existsSync(join(temporary, '..'))).toBe(false);
});

test('the reason of its end and its last errors are kept', async () => {
  const { executable } = program(
    'echo "[1:1:INFO:CONSOLE(3)] page error" >&2; echo "[1:1:ERROR:dbus] noise" >&2; exit 7',
  );
  const browser = launch(executable);
  expect(await browser.exited).toBe('Chromium ended (exit code 7).');
  expect(browser.lastErrors()).toBe('[1:1:INFO:CONSOLE(3)] page error');
  await browser.stop();
});

test('a program that cannot be started counts as ended', async () => {
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
