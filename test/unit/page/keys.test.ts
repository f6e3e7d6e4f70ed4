import { expect, test } from 'vitest';
import { KeyStore } from '../../../src/core/stores/keys.ts';
import { addKey, listKeys } from '../../../src/page/keys.ts';
import { emptyDatabases } from '../support/database.ts';

test('keys are made, listed with their rights, and revoked', async () => {
  const keys = new KeyStore(emptyDatabases().openKeys);
  const key = await addKey(keys, { label: 'app', models: ['m'], manageModels: true });
  const plain = await addKey(keys);
  const listed = await listKeys(keys);
  expect(listed.map(({ id: _id, createdAt: _at, ...rest }) => rest)).toEqual(
    expect.arrayContaining([{ label: 'app', models: ['m'], manageModels: true }, { label: '' }]),
  );
  expect(JSON.stringify(listed)).not.toContain(key);
  await keys.revoke(key);
  await keys.revoke(plain);
  expect(await listKeys(keys)).toEqual([]);
});
