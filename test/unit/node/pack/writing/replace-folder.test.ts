import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { replaceFolder } from '../../../../../src/node/pack/writing/replace-folder.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** A process id that no process has: Linux's limit is 2^22. */
const DEAD = 2 ** 30;

let root: string;
let folder: string;

beforeEach(() => {
  root = temporaryFolder();
  folder = join(root, 'pack');
});

const put = (content: string) =>
  replaceFolder(folder, (temporary) => writeFileSync(join(temporary, 'file'), content));

test('the folder appears only when it is complete', () => {
  replaceFolder(folder, (temporary) => {
    writeFileSync(join(temporary, 'file'), 'new');
    expect(existsSync(folder)).toBe(false);
  });
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('new');
});

test('if filling fails, the old content stays and nothing else is left', () => {
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

test('a full disk is reported as a full disk', () => {
  const fail = () =>
    replaceFolder(folder, () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    });
  expect(fail).toThrow(`No space left on the disk of ${folder}.`);
});

test('another process may replace the folder meanwhile', () => {
  replaceFolder(folder, (temporary) => {
    writeFileSync(join(temporary, 'file'), 'mine');
    put('theirs');
  });
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('mine');
});

test('folders of killed processes are removed; folders of others are not', () => {
  mkdirSync(join(root, `.pack.${DEAD}.1.tmp`));
  mkdirSync(join(root, `.other.${DEAD}.1.tmp`));
  mkdirSync(join(root, `.pack.${process.ppid}.1.tmp`));
  put('new');
  expect(readdirSync(root).sort()).toEqual(
    [`.other.${DEAD}.1.tmp`, `.pack.${process.ppid}.1.tmp`, 'pack'].sort(),
  );
});
