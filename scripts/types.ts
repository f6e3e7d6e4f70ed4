/** `npm run types`: checks the types of every folder that has a tsconfig of its own. */
import { globSync } from 'node:fs';
import { runCommand } from './run-command.ts';
import { ROOT } from './stamp.ts';

const PROJECTS = globSync('{src/*,sw,scripts,bench,bench/*,test,test/*}/tsconfig.json', {
  cwd: ROOT,
}).sort();

const results = await Promise.all(
  PROJECTS.map(async (project) => ({
    project,
    ...(await runCommand('tsc', ['--noEmit', '-p', project], { quiet: true })),
  })),
);
for (const { project, code, output } of results) {
  process.stdout.write(`${code === 0 ? 'ok    ' : 'failed'} ${project}\n${output}`);
}
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1;
