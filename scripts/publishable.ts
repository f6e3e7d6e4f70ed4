/**
 * Refuses to publish a package that does not say where its source is: without `repository` in package.json, the links of
 * the README lead nowhere on npm's site. The first time, the address comes from the remote `origin` of the checkout.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { repositoryOf } from './repository-of.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const manifestSchema = v.object({ repository: v.optional(v.object({ url: v.string() })) });

const { repository } = v.parse(
  manifestSchema,
  JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')),
);
if (!repository) {
  const { stdout } = spawnSync('git', ['remote', 'get-url', 'origin'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const url = repositoryOf(stdout.trim());
  if (url === undefined) {
    fail('Name the repository: npm pkg set repository.type=git repository.url=git+https://…');
  }
  execFileSync('npm', ['pkg', 'set', 'repository.type=git', `repository.url=${url}`], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  fail(`package.json names ${url} as its repository now. Commit that, and publish again.`);
}

function fail(message: string): never {
  process.stderr.write(`slashv1: ${message}\n`);
  process.exit(1);
}
