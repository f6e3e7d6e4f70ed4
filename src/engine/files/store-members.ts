import { refusal } from '../../core/errors/errors.ts';
import type { JobOf } from '../../core/operations/jobs/jobs.ts';
import type { BatchFacts, MembersEvent } from '../../core/operations/jobs/store-jobs.ts';
import type { FilesDatabase, StoredMember, StoredStore } from './files-database.ts';
import { inChange } from './in-change.ts';
import { inRemoval } from './in-removal.ts';
import { readPart } from './read-part.ts';
import { changeStore, removeMembers, revised } from './removal.ts';
import {
  addMembers,
  countsOf,
  type AddedMembers,
  type VectorStoreParts,
  type VectorStores,
} from './vector-stores.ts';

/** The files of vector stores. */
export class StoreMembers {
  readonly #open: () => Promise<FilesDatabase>;
  readonly #wake: () => void;
  readonly #now: () => number;
  readonly #stores: Pick<VectorStores, 'alive' | 'own'>;

  constructor(stores: Pick<VectorStores, 'alive' | 'own'>, parts: VectorStoreParts) {
    this.#stores = stores;
    this.#open = parts.open;
    this.#wake = parts.wake;
    this.#now = parts.now ?? Date.now;
  }

  /** @throws ApiError 404 for what is not the owner's, 400 for a store that has expired */
  async answer({ owner, maxBytes, store: id, action }: JobOf<'members'>): Promise<MembersEvent> {
    await this.#stores.own(owner, id);
    switch (action.do) {
      case 'list': {
        const { part, status, batch } = action;
        if (batch !== undefined) await this.#batch(id, batch);
        const { store } = (await this.#open()).transaction('members');
        const isWanted = (each: StoredMember) =>
          (status ?? each.status) === each.status && (batch ?? each.batch) === each.batch;
        const { items, hasMore } = await readPart(store.index('store'), {
          of: id,
          part,
          find: (file) => store.get([id, file]),
          ...((status ?? batch) !== undefined && { isWanted }),
        });
        return { type: 'members', files: items, hasMore };
      }
      case 'add':
        return this.#add(await this.#stores.alive(owner, id), { ...action, maxBytes });
      case 'get':
        return only(await this.#member(id, action.file));
      case 'read': {
        const member = await this.#member(id, action.file);
        const texts = await (await this.#open()).get('chunks', [id, action.file]);
        return { ...only(member), texts: texts ?? [] };
      }
      case 'change': {
        await this.#member(id, action.file);
        await inChange(this.#open, async (transaction) => {
          const members = transaction.objectStore('members');
          // The file may have been indexed, or removed, since it was looked up.
          const member = await members.get([id, action.file]);
          if (!member) return;
          await members.put({ ...member, attributes: action.attributes });
          await changeStore(transaction, id, revised);
        });
        return only(await this.#member(id, action.file));
      }
      case 'remove': {
        const member = await this.#member(id, action.file);
        await inRemoval(this.#open, (transaction, isCounted) =>
          removeMembers(transaction, [[id, action.file]], isCounted),
        );
        return only(member);
      }
      case 'get-batch':
        return { ...none(), batch: await this.#batch(id, action.batch) };
      case 'cancel-batch':
        return { ...none(), batch: await this.#cancel(id, action.batch) };
    }
  }

  async #add(store: StoredStore, added: AddedMembers): Promise<MembersEvent> {
    const { batch, files } = added;
    const now = this.#now();
    await inChange(this.#open, async (transaction) => {
      await addMembers(transaction, store, added, now);
      await changeStore(transaction, store.id, (known) => revised({ ...known, lastActiveAt: now }));
      if (batch === undefined) return;
      await transaction.objectStore('batches').put({ id: batch, store: store.id, createdAt: now });
    });
    this.#wake();
    if (batch !== undefined) return { ...none(), batch: await this.#batch(store.id, batch) };
    return only(await this.#member(store.id, files[0]?.file ?? ''));
  }

  async #member(store: string, file: string): Promise<StoredMember> {
    const member = await (await this.#open()).get('members', [store, file]);
    if (member) return member;
    throw refusal(404, `The vector store has no file '${file}'.`, null, 'file_id');
  }

  async #batch(store: string, id: string): Promise<BatchFacts> {
    const db = await this.#open();
    const batch = await db.get('batches', id);
    if (batch?.store !== store) {
      throw refusal(404, `The vector store has no file batch '${id}'.`, null, 'batch_id');
    }
    const counts = await countsOf((status) => db.countFromIndex('members', 'batch', [id, status]));
    return { ...batch, counts };
  }

  async #cancel(store: string, id: string): Promise<BatchFacts> {
    await this.#batch(store, id);
    await inChange(this.#open, async (transaction) => {
      const members = transaction.objectStore('members');
      for (const member of await members.index('batch').getAll([id, 'in_progress'])) {
        await members.put({ ...member, status: 'cancelled' });
      }
    });
    return this.#batch(store, id);
  }
}

function only(member: StoredMember): MembersEvent {
  return { type: 'members', files: [member], hasMore: false };
}

function none(): MembersEvent {
  return { type: 'members', files: [], hasMore: false };
}
