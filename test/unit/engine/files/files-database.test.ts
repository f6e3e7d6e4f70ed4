import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { filesDatabase, hasStoredFiles } from '../../../../src/engine/files/files-database.ts';

test('only a site that has stored files has a database for them, and looking makes none', async () => {
  expect(await hasStoredFiles('/stores/')).toBe(false);
  expect(await hasStoredFiles('/stores/')).toBe(false);
  (await filesDatabase('/stores/')()).close();
  expect(await hasStoredFiles('/stores/')).toBe(true);
  expect(await hasStoredFiles('/')).toBe(false);
});
