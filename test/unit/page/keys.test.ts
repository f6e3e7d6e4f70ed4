import { expect, test } from 'vitest';
import { keysOf } from '../../../src/page/keys.ts';
import { emptyDatabases } from '../support/database.ts';

test('keys are made, listed with their rights, and revoked', async () => {
  const keys = keysOf(emptyDatabases().openKeys);
  const key = await keys.create({ label: 'app', models: ['m'], manageModels: true });
  const plain = await keys.create();
  const listed = await keys.list();
  expect(listed.map(({ id: _id, createdAt: _at, ...rest }) => rest)).toEqual(
    expect.arrayContaining([{ label: 'app', models: ['m'], manageModels: true }, { label: '' }]),
  );
  expect(JSON.stringify(listed)).not.toContain(key);
  await keys.revoke(key);
  await keys.revoke(plain);
  expect(await keys.list()).toEqual([]);
});
