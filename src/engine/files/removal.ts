import { beginning, type FilesTransaction, type StoredMember } from './files-database.ts';

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

/** Takes files out of vector stores, with their chunks. */
export async function removeMembers(
  transaction: FilesTransaction,
  members: readonly StoredMember[],
): Promise<void> {
  for (const { store, file, owner, bytes, chunkCount } of members) {
    for (const name of ['members', 'chunks', 'segments'] as const) {
      await transaction.objectStore(name).delete([store, file]);
    }
    await addUsage(transaction, owner, { bytes: -bytes });
    const found = await transaction.objectStore('stores').get(store);
    if (!found) continue;
    const left = { bytes: found.bytes - bytes, chunks: found.chunks - chunkCount };
    await transaction.objectStore('stores').put({ ...found, ...left });
  }
}

/** Deletes a vector store with all that belongs to it; its files stay. */
export async function removeStore(transaction: FilesTransaction, id: string): Promise<void> {
  await removeMembers(
    transaction,
    await transaction.objectStore('members').index('store').getAll(beginning(id)),
  );
  for (const batch of await transaction.objectStore('batches').index('store').getAllKeys(id)) {
    await transaction.objectStore('batches').delete(batch);
  }
  await transaction.objectStore('stores').delete(id);
}

/** Deletes a file, also from all vector stores. A file that is gone already is not counted twice. */
export async function removeFile(transaction: FilesTransaction, id: string): Promise<void> {
  const file = await transaction.objectStore('files').get(id);
  if (!file) return;
  await removeMembers(
    transaction,
    await transaction.objectStore('members').index('file').getAll(id),
  );
  await transaction.objectStore('files').delete(id);
  await transaction.objectStore('contents').delete(id);
  await addUsage(transaction, file.owner, { files: -1, bytes: -file.bytes });
}
