import {
  beginning,
  type FilesTransaction,
  type MemberKey,
  type StoredStore,
} from './files-database.ts';

/** Adds to what an owner has stored. */
export async function addUsage(
  transaction: FilesTransaction,
  owner: string,
  added: { files?: number; bytes: number },
): Promise<void> {
  const usage = transaction.objectStore('usage');
  const { files, bytes } = (await usage.get(owner)) ?? { files: 0, bytes: 0 };
  await usage.put({ files: files + (added.files ?? 0), bytes: bytes + added.bytes }, owner);
}

/** Takes files out of vector stores, with their chunks. @param isCounted - as in `inRemoval` */
export async function removeMembers(
  transaction: FilesTransaction,
  keys: readonly MemberKey[],
  isCounted = true,
): Promise<void> {
  for (const key of keys) {
    // What was read before this transaction may have been indexed meanwhile.
    const member = await transaction.objectStore('members').get(key);
    if (!member) continue;
    for (const name of ['members', 'chunks', 'segments'] as const) {
      await transaction.objectStore(name).delete(key);
    }
    if (!isCounted) continue;
    const { owner, bytes, chunkCount } = member;
    await addUsage(transaction, owner, { bytes: -bytes });
    await changeStore(transaction, member.store, (store) =>
      revised({ ...store, bytes: store.bytes - bytes, chunks: store.chunks - chunkCount }),
    );
  }
}

/** Changes a store, if it still exists. @returns what it is then */
export async function changeStore(
  transaction: FilesTransaction,
  id: string,
  change: (store: StoredStore) => StoredStore,
): Promise<StoredStore | undefined> {
  const store = await transaction.objectStore('stores').get(id);
  if (!store) return undefined;
  const changed = change(store);
  await transaction.objectStore('stores').put(changed);
  return changed;
}

/** A store whose files, or their attributes, are others than before. */
export function revised(store: StoredStore): StoredStore {
  return { ...store, revision: store.revision + 1 };
}

/** Deletes a vector store with all that belongs to it; its files stay. @param isCounted - as in `inRemoval` */
export async function removeStore(
  transaction: FilesTransaction,
  id: string,
  isCounted: boolean,
): Promise<void> {
  const members = transaction.objectStore('members').index('store');
  await removeMembers(transaction, await members.getAllKeys(beginning(id)), isCounted);
  for (const batch of await transaction.objectStore('batches').index('store').getAllKeys(id)) {
    await transaction.objectStore('batches').delete(batch);
  }
  await transaction.objectStore('stores').delete(id);
}

/**
 * Deletes a file, also from all vector stores. A file that is gone already is not counted twice.
 *
 * @param isCounted - as in `inRemoval`
 */
export async function removeFile(
  transaction: FilesTransaction,
  id: string,
  isCounted: boolean,
): Promise<void> {
  const file = await transaction.objectStore('files').get(id);
  if (!file) return;
  const members = transaction.objectStore('members').index('file');
  await removeMembers(transaction, await members.getAllKeys(id), isCounted);
  await transaction.objectStore('files').delete(id);
  await transaction.objectStore('contents').delete(id);
  if (isCounted) await addUsage(transaction, file.owner, { files: -1, bytes: -file.bytes });
}
