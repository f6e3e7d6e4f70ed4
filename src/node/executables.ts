import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a command may be, in the order of the variable PATH. */
export function inPath(name: string, env: NodeJS.ProcessEnv = process.env): string[] {
  return (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name));
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
