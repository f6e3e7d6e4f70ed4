import { refusal } from '../../core/errors/errors.ts';
import type { JobOf } from '../../core/operations/jobs/jobs.ts';
import {
  expiryOf,
  MEMBER_STATUSES,
  type MemberStatus,
  type NewMember,
  type StatusCounts,
  type StoreChange,
  type StoreFacts,
  type StoresEvent,
} from '../../core/operations/jobs/store-jobs.ts';
import type { ChunkSize } from '../../core/retrieval/divide-text.ts';
import { isOver } from './file-store.ts';
import {
  beginning,
  type FilesDatabase,
  type FilesTransaction,
  type StoredStore,
} from './files-database.ts';
import { full, inChange } from './in-change.ts';
import { inRemoval } from './in-removal.ts';
import { readPart } from './read-part.ts';
import { changeStore, removeMembers, removeStore } from './removal.ts';

/** Most vector stores of an owner. */
const MOST_STORES = 1_000;

export interface VectorStoreParts {
  open: () => Promise<FilesDatabase>;
  /** Called when files wait to be indexed. */
  wake: () => void;
  /** Unix milliseconds. */
  now?: () => number;
}

/** The vector stores of all owners. */
export class VectorStores {
  readonly #open: () => Promise<FilesDatabase>;
  readonly #wake: () => void;
  readonly #now: () => number;

  constructor({ open, wake, now = Date.now }: VectorStoreParts) {
    this.#open = open;
    this.#wake = wake;
    this.#now = now;
  }

  /** @throws ApiError 404 for a store or a file that is not the owner's, 500 `storage_full` */
  async answer({ owner, maxBytes, action }: JobOf<'stores'>): Promise<StoresEvent> {
    switch (action.do) {
      case 'list': {
        const { store } = (await this.#open()).transaction('stores');
        const { items, hasMore } = await readPart(store.index('owner'), {
          of: owner,
          part: action.part,
          find: async (id) => {
            const found = await store.get(id);
            return found?.owner === owner ? found : undefined;
          },
        });
        return { type: 'stores', stores: await this.#withCounts(items), hasMore };
      }
      case 'add':
        return this.#only(await this.#add(owner, action.store, { files: action.files, maxBytes }));
      case 'get':
        return this.#only(await this.own(owner, action.id));
      case 'change':
        return this.#only(await this.#change(owner, action.id, action.change));
      case 'delete': {
        const event = await this.#only(await this.own(owner, action.id));
        await inRemoval(this.#open, (transaction, isCounted) =>
          removeStore(transaction, action.id, isCounted),
        );
        return event;
      }
    }
  }

  /** @throws ApiError 404 */
  async own(owner: string, id: string): Promise<StoredStore> {
    const store = await (await this.#open()).get('stores', id);
    if (store?.owner === owner) return store;
    throw refusal(404, `No such vector store: '${id}'.`, null, 'vector_store_id');
  }

  /** @throws ApiError 400 if the store has expired */
  async alive(owner: string, id: string): Promise<StoredStore> {
    const store = await this.own(owner, id);
    if (!isExpired(store, this.#now())) return store;
    const message = `The vector store '${id}' has expired.`;
    throw refusal(400, message, 'vector_store_expired', 'vector_store_id');
  }

  /** Notes that a store is used, so that it does not expire. */
  async touch(id: string): Promise<void> {
    await inChange(this.#open, (transaction) =>
      changeStore(transaction, id, (store) => ({ ...store, lastActiveAt: this.#now() })),
    );
  }

  /** Deletes the stores that have expired, and those of owners that exist no longer. */
  async sweep(hasOwner: (owner: string) => boolean): Promise<void> {
    const all = await (await this.#open()).getAll('stores');
    const now = this.#now();
    const gone = all.filter((store) => isExpired(store, now) || !hasOwner(store.owner));
    if (gone.length === 0) return;
    await inRemoval(this.#open, async (transaction, isCounted) => {
      for (const { id } of gone) await removeStore(transaction, id, isCounted);
    });
  }

  async #add(
    owner: string,
    store: Omit<StoreFacts, 'createdAt' | 'lastActiveAt' | 'bytes' | 'counts'>,
    { files, maxBytes }: AddedMembers,
  ): Promise<StoredStore> {
    const added = await inChange(this.#open, async (transaction) => {
      const stores = transaction.objectStore('stores');
      const known = await stores.get(store.id);
      if (known) return known;
      if ((await stores.index('owner').count(beginning(owner))) >= MOST_STORES) {
        throw full(`There are ${MOST_STORES} vector stores`);
      }
      const newest = await stores.index('owner').openCursor(beginning(owner), 'prev');
      const now = Math.max(this.#now(), (newest?.value.createdAt ?? 0) + 1);
      const times = { createdAt: now, lastActiveAt: now };
      const made = { ...store, owner, ...times, bytes: 0, chunks: 0, revision: 0 };
      await addMembers(transaction, made, { files, maxBytes }, now);
      await stores.put(made);
      return made;
    });
    if (files.length > 0) this.#wake();
    return added;
  }

  async #change(owner: string, id: string, change: StoreChange): Promise<StoredStore> {
    await this.own(owner, id);
    const { expiresAfter, ...others } = change;
    const changed = await inChange(this.#open, (transaction) =>
      changeStore(transaction, id, (store) => {
        const next = { ...store, ...others, lastActiveAt: this.#now() };
        if (expiresAfter === null) delete next.expiresAfter;
        else if (expiresAfter !== undefined) next.expiresAfter = expiresAfter;
        return next;
      }),
    );
    return changed ?? this.own(owner, id);
  }

  async #only(store: StoredStore): Promise<StoresEvent> {
    return { type: 'stores', stores: await this.#withCounts([store]), hasMore: false };
  }

  async #withCounts(stores: readonly StoredStore[]): Promise<StoreFacts[]> {
    const db = await this.#open();
    return Promise.all(
      stores.map(async (store) => ({
        ...store,
        counts: await countsOf((status) =>
          db.countFromIndex('members', 'count', [store.id, status]),
        ),
      })),
    );
  }
}

/** Whether nobody has used a store for as long as it lives. */
export function isExpired(store: StoredStore, now: number): boolean {
  return (expiryOf(store) ?? Infinity) <= now;
}

export async function countsOf(
  count: (status: MemberStatus) => Promise<number>,
): Promise<StatusCounts> {
  const counts = { in_progress: 0, completed: 0, failed: 0, cancelled: 0 };
  for (const status of MEMBER_STATUSES) counts[status] = await count(status);
  return counts;
}

/** Files that are put into a store. */
export interface AddedMembers {
  files: readonly NewMember[];
  /** `maxBytes` of the stored members. */
  maxBytes: number | undefined;
  /** Id of the batch that they are added with. */
  batch?: string | undefined;
}

/**
 * Puts files into a store; they wait to be indexed. A file that is in it already is not indexed again.
 *
 * @throws ApiError 404 for a file that is not the owner's
 */
export async function addMembers(
  transaction: FilesTransaction,
  { id: store, owner }: Pick<StoredStore, 'id' | 'owner'>,
  { files, maxBytes, batch }: AddedMembers,
  now: number,
): Promise<void> {
  const members = transaction.objectStore('members');
  const newest = await members.index('store').openCursor(beginning(store), 'prev');
  let createdAt = Math.max(now, (newest?.value.createdAt ?? 0) + 1);
  for (const file of files) {
    const found = await transaction.objectStore('files').get(file.file);
    if (found?.owner !== owner || isOver(found, now)) {
      throw refusal(404, `No such file: '${file.file}'.`, null, 'file_id');
    }
    const known = await members.get([store, file.file]);
    const belongs = {
      attributes: file.attributes,
      ...(batch !== undefined && { batch }),
      ...(maxBytes !== undefined && { maxBytes }),
    };
    const isUsable = known?.status === 'completed' || known?.status === 'in_progress';
    if (known && isUsable && isSame(known.chunks, file.chunks)) {
      await members.put({ ...known, ...belongs });
      continue;
    }
    if (known) await removeMembers(transaction, [[store, file.file]]);
    await members.put({
      ...file,
      ...belongs,
      store,
      owner,
      createdAt: createdAt++,
      status: 'in_progress',
      bytes: 0,
      chunkCount: 0,
    });
  }
}

function isSame(one: ChunkSize | undefined, other: ChunkSize | undefined): boolean {
  return one?.maxTokens === other?.maxTokens && one?.overlapTokens === other?.overlapTokens;
}
