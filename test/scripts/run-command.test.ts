import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { runCommand } from '../../scripts/run-command.ts';

const MODULE = new URL('../../scripts/run-command.ts', import.meta.url).href;

test('returns the output and the exit code of a quiet command', async () => {
  const end = await runCommand('sh', ['-c', 'echo "$GREETING"; echo oops >&2; exit 3'], {
    env: { GREETING: 'hello' },
    quiet: true,
  });
  expect(end).toEqual({ code: 3, output: 'hello\noops\n', stdout: 'hello\n' });
});

test('rejects if there is no such command', async () => {
  await expect(runCommand('no-such-command', [])).rejects.toThrow('ENOENT');
});

test('a signal ends the command, then the script, before its next step', async () => {
  const script = `const { runCommand } = await import('${MODULE}');
    await runCommand('sh', ['-c', 'echo up; exec sleep 30']); console.log('next step');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  child.stdout.once('data', () => child.kill('SIGTERM'));
  const [output, [, signal]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect({ output, signal: signal as unknown }).toEqual({ output: 'up\n', signal: 'SIGTERM' });
});
