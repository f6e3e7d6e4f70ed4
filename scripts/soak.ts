/**
 * `npm run soak -- --minutes N --seed S`: mixed load with random faults, under which memory must not grow.
 * `npm run soak -- --long-jobs`: 10,000 embeddings and an hour of speech, after which it must be as before.
 */
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    'long-jobs': { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  },
});
const { minutes, seed } = values;
if (!(Number(minutes) > 0) || !Number.isInteger(Number(seed))) {
  process.stderr.write('--minutes takes a number above 0, --seed an integer.\n');
  process.exit(2);
}
process.env['SOAK_MINUTES'] = minutes;
process.env['SOAK_SEED'] = seed;
const file = values['long-jobs'] ? 'long-jobs.test.ts' : 'soak.test.ts';
const args = ['test', '--config', 'test/soak/playwright.config.ts', file];
process.exitCode = (await runCommand('playwright', args)).code;
