import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { spawn } from 'node:child_process';
import { afterAll, inject } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** How a command ended. */
export interface End {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A user's project: a folder of its own, in which the packed tarball is installed. */
export interface Project {
  folder: string;
  write(files: Record<string, string>): void;
  /** Runs a program in the project. */
  run(command: string, ...args: string[]): Promise<End>;
}

/** Makes a folder that is deleted when the tests of the file end. */
export function emptyProject(): Project {
  const folder = temporaryFolder(afterAll);
  const run = (command: string, ...args: string[]) => runIn(folder, command, args);
  const write = (files: Record<string, string>) => {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  };
  return { folder, write, run };
}

/** Makes an empty project and installs the tarball there, without the network. */
export async function installedProject(): Promise<Project> {
  const project = emptyProject();
  const { run, write } = project;
  write({ 'package.json': '{ "name": "a-site", "private": true, "type": "module" }\n' });
  const quiet = ['--offline', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, stderr } = await run('npm', 'install', ...quiet, inject('tarball'));
  if (code !== 0) throw new Error(`npm install failed:\n${stderr}`);
  return project;
}

/** This process's environment without npm's variables, which are about this repository, and without telemetry. */
export function userEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' };
  return { ...Object.fromEntries(entries), ...quiet };
}

async function runIn(cwd: string, command: string, args: string[]): Promise<End> {
  const child = spawn(command, args, {
    cwd,
    env: userEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'] as const,
  });
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [stdout, stderr, end] = await Promise.all([text(child.stdout), text(child.stderr), code]);
  return { code: end, stdout, stderr };
}
