import { writeFileSync } from 'node:fs';

/** Writes an executable shell script that stands in for a program, and returns its path. */
export function shellScript(path: string, commands: string): string {
  writeFileSync(path, `#!/bin/sh\n${commands}\n`, { mode: 0o755 });
  return path;
}
