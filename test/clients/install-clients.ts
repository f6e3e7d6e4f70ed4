import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePython } from '../../scripts/testing/ensure-browsers.ts';
import { ROOT } from '../../scripts/build/stamp.ts';

const VENV = join(ROOT, '.cache/clients');
const REQUIREMENTS = join(ROOT, 'test/clients/requirements.txt');

/** The Python that has the clients. */
export const PYTHON_CLIENTS = join(VENV, 'bin/python');

/** Installs the clients from PyPI, once. */
export async function setup(): Promise<void> {
  const stamp = join(VENV, 'installed');
  const wanted = createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(VENV, { recursive: true, force: true });
  await ensurePython();
  execFileSync('python3', ['-m', 'venv', VENV]);
  const pip = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet', '--no-deps'];
  execFileSync(PYTHON_CLIENTS, [...pip, '--requirement', REQUIREMENTS], { stdio: 'inherit' });
  writeFileSync(stamp, wanted);
}
