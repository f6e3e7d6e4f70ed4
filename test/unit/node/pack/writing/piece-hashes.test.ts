import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { variantFiles } from '../../../../../src/node/pack/writing/manifest.ts';
import { randomBytes } from '../../../../support/servers/file-source.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const MIB = 1024 * 1024;

test('the manifest has the hash of each piece of a large file, the last of which is shorter', () => {
  const folder = temporaryFolder();
  const large = randomBytes(33 * MIB, 1);
  writeFileSync(join(folder, 'large.gguf'), large);
  writeFileSync(join(folder, 'small.gguf'), large.subarray(0, 32 * MIB));
  const [first, second] = variantFiles(folder).files;
  expect(first?.pieces).toHaveLength(9);
  expect(first?.pieces?.[8]).toBe(
    createHash('sha256')
      .update(large.subarray(32 * MIB))
      .digest('hex'),
  );
  expect(second).not.toHaveProperty('pieces');
});
