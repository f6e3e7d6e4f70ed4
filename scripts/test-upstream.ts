/**
 * `npm run test:upstream -- --only llamacpp,ray,vllm`: compares the answers that pages get from real engines through
 * `/v1` with the engines' own. The first run installs them from PyPI, in virtual environments in `.cache/upstreams`.
 */
import { parseArgs } from 'node:util';
import { ENGINES, installUpstream } from './testing/install-upstream.ts';
import { runCommand } from './run-command.ts';
import { messageOf } from '../src/core/text/message-of.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const chosen = values.only?.split(',') ?? ENGINES;
const unknown = chosen.filter((name) => !ENGINES.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`--only takes ${ENGINES.join(', ')}, not ${unknown.join(', ')}.\n`);
  process.exit(2);
}
for (const name of ENGINES.filter((each) => !chosen.includes(each))) {
  process.stdout.write(`${name}: not tested, --only leaves it out\n`);
}
try {
  for (const name of chosen) await installUpstream(name);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
const files = chosen.map((name) => `${name}.test.ts`);
const args = ['test', '--config', 'test/engines/playwright.config.ts', ...files];
process.exitCode = (await runCommand('playwright', args)).code;
