import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CACHE = fileURLToPath(new URL('../../../.cache/json-schema-suite', import.meta.url));
const SOURCE = 'jsonschema-4.26.0';
const SHA256 = '0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326';

/** Where the tests of each draft are, a folder for each. */
export const SUITE = `${CACHE}/${SOURCE}/json/tests`;

/**
 * Fetches the JSON Schema Test Suite, once. Its own package on npm only refers to GitHub; the source of Python's
 * jsonschema, whose author wrote the suite, has all of it.
 */
export function setup(): void {
  if (existsSync(SUITE)) return;
  const options = ['--quiet', '--no-deps', '--no-binary', 'jsonschema', '-d', CACHE];
  const archive = `${CACHE}/${SOURCE}.tar.gz`;
  const run = (command: string, ...rest: string[]) =>
    execFileSync(command, rest, { stdio: 'inherit' });
  run('python3', '-m', 'pip', 'download', ...options, SOURCE.replace('-', '=='));
  if (createHash('sha256').update(readFileSync(archive)).digest('hex') !== SHA256) {
    throw new Error(`${archive} is not the file that was expected.`);
  }
  run('tar', 'xzf', archive, '-C', CACHE, `${SOURCE}/json`);
}
