/** `npm run types`: checks the types of every folder that has a tsconfig of its own, as many at once as there are cores. */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { runCommand } from './run-command.ts';
import { ROOT } from './build/stamp.ts';

const PROJECTS = globSync('{src/*,sw,scripts,bench,bench/*,models/*,test,test/*}/tsconfig.json', {
  cwd: ROOT,
}).sort();

/** Folders whose types are in the package: a type that no declaration can name would fail only when it is packed. */
const PACKED = /^(?:src|sw)\b/;

const waiting = [...PROJECTS];
process.exitCode = 0;

async function check(): Promise<void> {
  for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
    const args = ['--noEmit', ...(PACKED.test(project) ? ['--declaration'] : []), '-p', project];
    const { code, output } = await runCommand('tsc', args, { quiet: true });
    process.stdout.write(`${code === 0 ? 'ok    ' : 'failed'} ${project}\n${output}`);
    if (code !== 0) process.exitCode = 1;
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, check));
