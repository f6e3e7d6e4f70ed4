import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { sha256Hex } from '../../../src/core/database/hash.ts';
import {
  ADDED,
  BEGUN,
  ENTRIES_OF_VERSION_2,
  HUB,
  PACK,
  PLAN_OF_VERSION_2,
  USED_AT,
  VOICE,
} from '../../support/version-2-catalog.ts';

/** A database as the build of commit 377429c made and filled it, and an entry that is damaged. */
export async function makeVersion2(scope: string, key: string): Promise<void> {
  const db = await openDB(`slashv1:${scope}`, 2, {
    upgrade(database) {
      database.createObjectStore('keys', { keyPath: 'id' });
      database.createObjectStore('catalog', { keyPath: 'id' });
      database.createObjectStore('files');
      database.createObjectStore('segments');
      database.createObjectStore('downloads');
      database.createObjectStore('uses');
    },
  });
  await db.put('keys', { id: await sha256Hex(key), label: 'app', createdAt: 1 });
  await db.put('catalog', { id: 'damaged/entry' });
  for (const entry of Object.values(ENTRIES_OF_VERSION_2)) await db.put('catalog', entry);
  for (const id of [PACK, HUB, VOICE, ADDED] as const) {
    const { revision, files } = ENTRIES_OF_VERSION_2[id].installed;
    for (const { path } of files) {
      await db.put('files', { blob: new Blob(['weights']), sha256: 'x' }, [id, revision, path]);
    }
  }
  await db.put('downloads', PLAN_OF_VERSION_2, BEGUN);
  const segment = { blob: new Blob(['wei']), validator: '"e"' };
  await db.put('segments', segment, [BEGUN, 'beef', 'params_shard_0.bin', 0]);
  await db.put('uses', USED_AT, HUB);
  db.close();
}
