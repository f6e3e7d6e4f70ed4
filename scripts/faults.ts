/** `npm run test:faults -- --repeat N [names]`: runs each fault test N times; one failed run is a failure. */
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';

const { values, positionals } = parseArgs({
  options: { repeat: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const repeat = Number(values.repeat);
if (!Number.isInteger(repeat) || repeat < 1) {
  process.stderr.write('--repeat takes the number of runs of each test, at least 1.\n');
  process.exit(2);
}
const names = positionals.length > 0 ? ['--grep', positionals.join('|')] : [];
const args = ['test', 'test/browser/faults', `--repeat-each=${repeat}`, ...names];
process.exitCode = (await runCommand('playwright', args)).code;
