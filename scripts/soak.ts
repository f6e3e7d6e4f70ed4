/**
 * `npm run soak -- --minutes N --seed S`: mixed load with random faults, under which memory must not grow.
 * `npm run soak -- --long-jobs`: 10,000 embeddings, 10,000 files and an hour of speech, after which memory must be as before.
 * `npm run soak -- --stay`: 50 navigations with an engine that outlives its pages, after which memory must be as before; and
 * a file of 6 GB that is added where it lies.
 * `npm run soak -- --upstream --minutes 5`: 200 streams at once, which are forwarded to an upstream.
 */
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    upstream: { type: 'boolean', default: false },
    'long-jobs': { type: 'boolean', default: false },
    stay: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e9)) },
  },
});
const { minutes = values.upstream ? '5' : '30', seed } = values;
if (!(Number(minutes) > 0) || !Number.isInteger(Number(seed))) {
  process.stderr.write('--minutes takes a number above 0, --seed an integer.\n');
  process.exit(2);
}
process.env['SOAK_MINUTES'] = minutes;
process.env['SOAK_SEED'] = seed;
const file = fileOf(values);
const args = ['test', '--config', 'test/soak/playwright.config.ts', file];
process.exitCode = (await runCommand('playwright', args)).code;

function fileOf(chosen: typeof values): string {
  if (chosen['long-jobs']) return 'long-jobs.test.ts';
  if (chosen.stay) return 'stay.test.ts';
  return chosen.upstream ? 'upstream.test.ts' : 'soak.test.ts';
}
