import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { replaceFolder } from '../../../src/node/pack/replace-folder.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** No process has it: Linux's limit is 2^22. */
const DEAD = 2 ** 30;

let root: string;
let folder: string;

beforeEach(() => {
  root = temporaryFolder();
  folder = join(root, 'pack');
});

const put = (content: string) =>
  replaceFolder(folder, (temporary) => writeFileSync(join(temporary, 'file'), content));

test('nothing is to be seen until it is complete', () => {
  replaceFolder(folder, (temporary) => {
    writeFileSync(join(temporary, 'file'), 'new');
    expect(existsSync(folder)).toBe(false);
  });
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new');
});

test('the old content stays when filling fails, and nothing else is left', () => {
  put('old');
  const fail = () =>
    replaceFolder(folder, (temporary) => {
      writeFileSync(join(temporary, 'file'), 'half');
      throw new Error('boom');
    });
  expect(fail).toThrow('boom');
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('old');
  expect(readdirSync(root)).toEqual(['pack']);
});

test('a full disk is said plainly', () => {
  const fail = () =>
    replaceFolder(folder, () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
  expect(fail).toThrow(`No space left on the disk of ${folder}.`);
});

test('another process may put its own in place meanwhile', () => {
  replaceFolder(folder, (temporary) => {
    writeFileSync(join(temporary, 'file'), 'mine');
    put('theirs');
  });
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('mine');
});

test('what killed processes left is removed; what others work on is not', () => {
  mkdirSync(join(root, `.pack.${DEAD}.1.tmp`));
  mkdirSync(join(root, `.other.${DEAD}.1.tmp`));
  mkdirSync(join(root, `.pack.${process.ppid}.1.tmp`));
  put('new');
  expect(readdirSync(root).sort()).toEqual(
    [`.other.${DEAD}.1.tmp`, `.pack.${process.ppid}.1.tmp`, 'pack'].sort(),
  );
});
