import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { runCommand } from '../../../scripts/run-command.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the package as it would be published. */
    tarball: string;
  }
}

/** Packs this repository, as publishing it would, which builds it first. All tests share the tarball. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'slashv1-pack-'));
  const args = ['pack', '--pack-destination', folder, '--loglevel=error'];
  const { code, output, stdout } = await runCommand('npm', args, { quiet: true });
  if (code !== 0) throw new Error(`npm pack failed:\n${output}`);
  provide('tarball', join(folder, stdout.trim().split('\n').at(-1) ?? ''));
  return () => rmSync(folder, { recursive: true });
}
