import type { FilesDatabase, FilesTransaction, Usage } from './files-database.ts';
import { inChange, isFull } from './in-change.ts';
import { revised } from './removal.ts';

/**
 * Deletes in one transaction. On a full disk nothing can be written, not even that less is stored: then it is deleted
 * without that, and counted again as soon as that can be stored.
 *
 * @param remove - `isCounted`: whether it may write how much is left
 */
export async function inRemoval(
  open: () => Promise<FilesDatabase>,
  remove: (transaction: FilesTransaction, isCounted: boolean) => Promise<void>,
): Promise<void> {
  try {
    await inChange(open, (transaction) => remove(transaction, true));
  } catch (error) {
    if (!isFull(error)) throw error;
    await inChange(open, (transaction) => remove(transaction, false));
    await recount(open);
  }
}

/** Counts what is stored. If the disk is full, the next call does. */
export async function recount(open: () => Promise<FilesDatabase>): Promise<void> {
  try {
    await inChange(open, recountIn);
  } catch (error) {
    if (!isFull(error)) throw error;
  }
}

async function recountIn(transaction: FilesTransaction): Promise<void> {
  const [files, members, stores, owners] = await Promise.all([
    transaction.objectStore('files').getAll(),
    transaction.objectStore('members').getAll(),
    transaction.objectStore('stores').getAll(),
    transaction.objectStore('usage').getAllKeys(),
  ]);
  const usage = new Map<string, Usage>(owners.map((owner) => [owner, { files: 0, bytes: 0 }]));
  const add = (owner: string, count: number, more: number) => {
    const own = usage.get(owner) ?? { files: 0, bytes: 0 };
    usage.set(owner, { files: own.files + count, bytes: own.bytes + more });
  };
  for (const { owner, bytes } of files) add(owner, 1, bytes);
  for (const { owner, bytes } of members) add(owner, 0, bytes);
  for (const [owner, each] of usage) await transaction.objectStore('usage').put(each, owner);
  for (const store of stores) {
    const own = members.filter((member) => member.store === store.id);
    const bytes = own.reduce((sum, member) => sum + member.bytes, 0);
    const chunks = own.reduce((sum, { chunkCount }) => sum + chunkCount, 0);
    if (bytes === store.bytes && chunks === store.chunks) continue;
    await transaction.objectStore('stores').put(revised({ ...store, bytes, chunks }));
  }
}
