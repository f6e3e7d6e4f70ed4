import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Page } from 'playwright';
import { ROOT } from '../../../scripts/stamp.ts';
import { emptyProject, type Project } from '../../package/support/project.ts';

/**
 * Copies a folder of `examples/`, installs the packed package and the packages of the registry that it names, and
 * builds it. The folder is deleted when the tests of the file end.
 */
export async function builtExample(name: string): Promise<Project> {
  const project = emptyProject();
  const filter = (path: string) => !path.includes('node_modules');
  cpSync(join(ROOT, 'examples', name), project.folder, { recursive: true, filter });
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  for (const args of [
    ['install', ...quiet, inject('tarball')],
    ['run', 'build'],
  ]) {
    const { code, stdout, stderr } = await project.run('npm', ...args);
    if (code !== 0) throw new Error(`npm ${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  }
  return project;
}

/** What the model writes into the page. */
export async function answer(page: Page): Promise<string | null> {
  const shown = page.locator('#answer', { hasNotText: '…' });
  await shown.waitFor({ timeout: 120_000 });
  return shown.textContent();
}
