/**
 * Refuses to publish a package that does not say where its source is, or whose README has links that lead nowhere on
 * npm's site. The first time, it fixes both, with the address of the checkout's remote `origin`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { withAbsoluteLinks } from './build/readme-links.ts';
import { namedRepository, repositoryOf } from './build/repository-of.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const README = `${ROOT}README.md`;

const named = namedRepository(readFileSync(`${ROOT}package.json`, 'utf8'));
const repository = named ?? nameRepository();
const readme = readFileSync(README, 'utf8');
const published = withAbsoluteLinks(readme, repository);
if (published === undefined) {
  fail(`The addresses of files at ${repository} are unknown: write absolute links into README.md.`);
}
writeFileSync(README, published);
if (named === undefined || published !== readme) {
  fail(`package.json names ${repository}, and README.md links to it. Commit that, publish again.`);
}

/** Writes the remote `origin` into package.json. */
function nameRepository(): string {
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
  return url;
}

function fail(message: string): never {
  process.stderr.write(`slashv1: ${message}\n`);
  process.exit(1);
}
