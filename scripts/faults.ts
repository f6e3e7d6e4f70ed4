/** `npm run test:faults -- --repeat N [names]`: each fault test N times in a row; a single failure is one. */
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';

const { values, positionals } = parseArgs({
  options: { repeat: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const repeat = Number(values.repeat);
if (!Number.isInteger(repeat) || repeat < 1) {
  process.stderr.write('--repeat takes how often each test is run: 1 or more.\n');
  process.exit(2);
}
const names = positionals.length > 0 ? ['--grep', positionals.join('|')] : [];
const args = ['test', 'test/browser/faults', `--repeat-each=${repeat}`, ...names];
process.exitCode = (await runCommand('playwright', args)).code;
