import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { runIn, type End } from './run-in.ts';

/** A user's project: a folder of its own, in which the packed tarball is installed. */
export interface Project {
  folder: string;
  write(files: Record<string, string>): void;
  /** Runs a program in the project. */
  run(command: string, ...args: string[]): Promise<End>;
}

/** Makes a folder that is deleted when the tests of the file end. */
export function emptyProject(): Project {
  return projectIn(temporaryFolder(afterAll));
}

/** The project in a folder that exists. */
export function projectIn(folder: string): Project {
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
