import { expect, test } from 'vitest';
import { KeyUse } from '../../../../src/core/keys/key-use.ts';
import { KeyStore } from '../../../../src/core/keys/keys.ts';
import { keysOf } from '../../../../src/page/api/keys/keys.ts';
import { emptyDatabases } from '../../support/database.ts';

test('keys are made, listed with their rights, and revoked', async () => {
  const keys = keysOf(emptyDatabases().openSmall);
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

test('keys have the rights of their page, without upstreams if they stay on the device', async () => {
  const { openSmall } = emptyDatabases();
  const upstreams = [{ name: 'far', baseURL: 'https://far.example/v1', models: ['*'] }];
  const keys = keysOf(openSmall, { upstreams, hear: 'recogniser' });
  await keys.create({ label: 'any' });
  await keys.create({ label: 'own', deviceOnly: true });
  const stored = await new KeyStore(openSmall).list();
  expect(stored).toHaveLength(2);
  const rights = Object.fromEntries(stored.map((key) => [key.label, [key.hear, key.upstreams]]));
  expect(rights).toEqual({ any: ['recogniser', upstreams], own: ['recogniser', undefined] });
});

test('keys may call the servers of the page, unless they stay on the device', async () => {
  const { openSmall } = emptyDatabases();
  const keys = keysOf(openSmall, { mcp: ['https://mcp.example/'] });
  await keys.create({ label: 'usual', tokensPerDay: 9 });
  await keys.create({ label: 'stays', deviceOnly: true });
  const stored = await new KeyStore(openSmall).list();
  expect(Object.fromEntries(stored.map(({ label, mcp }) => [label, mcp]))).toEqual({
    usual: ['https://mcp.example/'],
    stays: undefined,
  });
});

test('keys have files of their own unless they are made for those of the site', async () => {
  const { openSmall } = emptyDatabases();
  const keys = keysOf(openSmall, { files: { owner: 'site', maxBytes: 9 } });
  await keys.create({ label: 'own' });
  await keys.create({ label: 'shared', files: 'site' });
  await keysOf(openSmall).create({ label: 'none', files: 'site' });
  const stored = await new KeyStore(openSmall).list();
  expect(Object.fromEntries(stored.map(({ label, files }) => [label, files]))).toEqual({
    own: { maxBytes: 9 },
    shared: { owner: 'site', maxBytes: 9 },
    none: undefined,
  });
});

test('limits are listed, with what is used of them', async () => {
  const { openSmall } = emptyDatabases();
  const keys = keysOf(openSmall);
  const expiresAt = Date.now() + 60_000;
  const limits = { endpoints: ['embeddings' as const], tokensPerDay: 10, expiresAt };
  await keys.create({ label: 'app', ...limits });
  const [listed] = await keys.list();
  expect(listed).toMatchObject({ ...limits, tokensToday: 0 });
  expect(listed).not.toHaveProperty('lastUsedAt');
  const use = new KeyUse(openSmall);
  await use.spend(listed?.id ?? '', 4);
  await use.spend('0'.repeat(64), 4);
  expect(await keys.list()).toMatchObject([{ tokensToday: 4 }]);
});

test.each([
  [{ endpoints: ['chat'] as never }, /no endpoint 'chat'.*chat\/completions/],
  [{ tokensPerDay: 0 }, /tokensPerDay/],
  [{ tokensPerDay: 1.5 }, /tokensPerDay/],
  [{ expiresAt: NaN }, /expiresAt/],
  [{ expiresAt: '2030-01-01' as never }, /expiresAt/],
  [{ models: 'org/model' as never }, /models must be an array of strings/],
  [{ models: [1] as never }, /models/],
  [{ endpoints: 'models' as never }, /endpoints/],
  [{ tokensPerDay: '50' as never }, /tokensPerDay/],
  [{ manageModels: 'no' as never }, /manageModels must be a boolean/],
  [{ autoInstall: 1 as never }, /autoInstall/],
  [{ deviceOnly: 'yes' as never }, /deviceOnly/],
  [{ files: true as never }, /files must be 'site'/],
  [{ deviceOnly: null as never }, /deviceOnly/],
  [{ label: 7 as never }, /label/],
  [{ model: ['m'] } as never, /no option 'model'/],
  [{ models: [['m']] as never }, /models must be an array of strings/],
  [{ models: null as never }, /models/],
  [{ models: new Set(['m']) as never }, /models/],
  [{ models: { 0: 'm', length: 1 } as never }, /models/],
  [{ endpoints: ['__proto__'] as never }, /no endpoint '__proto__'/],
  [{ tokensPerDay: Infinity }, /tokensPerDay/],
  [{ tokensPerDay: true as never }, /tokensPerDay/],
  [{ expiresAt: new Date() as never }, /expiresAt/],
  [{ manageModels: new Boolean(false) as never }, /manageModels must be a boolean/],
  [null as never, /./],
  [7 as never, /options must be an object/],
  [[] as never, /options must be an object/],
  [new Map([['models', ['m']]]) as never, /options must be an object/],
  [Object.create({ models: ['m'] }) as never, /models/],
])('a limit of a wrong value is refused: %j', async (options, message) => {
  const keys = keysOf(emptyDatabases().openSmall);
  await expect(keys.create(options)).rejects.toThrow(message);
  expect(await keys.list()).toEqual([]);
});

test('keys keep prompts on disk only if they are made for that, as their own, and end with them', async () => {
  const { openSmall } = emptyDatabases();
  let sweeps = 0;
  const rights = { promptCache: { owner: 'site', maxBytes: 9 } } as const;
  const keys = keysOf(openSmall, rights, async () => void sweeps++);
  const own = await keys.create({ label: 'own', promptCache: true });
  await keys.create({ label: 'none' });
  await keysOf(openSmall).create({ label: 'not here', promptCache: true });
  const stored = await new KeyStore(openSmall).list();
  expect(Object.fromEntries(stored.map((key) => [key.label, key.promptCache]))).toEqual({
    own: { maxBytes: 9 },
    none: undefined,
    'not here': undefined,
  });
  await keys.revoke(own);
  expect(sweeps).toBe(1);
});
