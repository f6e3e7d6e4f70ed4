import { firstCause, isNamed } from '../../core/database/transaction-cause.ts';
import { refusal } from '../../core/errors/errors.ts';
import type { FilesEvent, NewFile } from '../../core/operations/jobs/file-jobs.ts';
import type { JobOf } from '../../core/operations/jobs/jobs.ts';
import type { ListPart } from '../../core/operations/jobs/list-part.ts';
import { ALL, beginning, type FilesDatabase, type StoredFileFacts } from './files-database.ts';
import { full, inChange } from './in-change.ts';
import { inRemoval } from './in-removal.ts';
import { readPart } from './read-part.ts';
import { removeFile, removeStore } from './removal.ts';

/** Most files of an owner. */
const MOST_FILES = 10_000;
/** Most bytes of all owners, unless the site names another number. */
const MOST_BYTES = 2 * 1024 ** 3;
/** The part of the browser's quota that files may take: models need the rest. */
const MOST_OF_QUOTA = 0.2;

/**
 * Most bytes of a file that are stored in its record. Chromium has a file on the disk for each Blob, and adds up the
 * sizes of all of them whenever it says how much is used: with 10,000 small ones, each upload would wait for that.
 */
const MOST_INLINE = 60_000;

interface FileStoreParts {
  open: () => Promise<FilesDatabase>;
  /** Bytes that the browser gives this site; undefined: it does not say. */
  quota: () => Promise<number | undefined>;
  /** Unix milliseconds. */
  now?: () => number;
}

/** The files that callers have stored, until they are deleted or expire. */
export class FileStore {
  readonly #open: () => Promise<FilesDatabase>;
  readonly #quota: () => Promise<number | undefined>;
  readonly #now: () => number;

  constructor({ open, quota, now = Date.now }: FileStoreParts) {
    this.#open = open;
    this.#quota = quota;
    this.#now = now;
  }

  /** @throws ApiError 404 for a file that is not the owner's, 500 `storage_full` */
  async answer({ owner, maxBytes, action }: JobOf<'files'>): Promise<FilesEvent> {
    if (action.do === 'list') {
      const { items, hasMore } = await this.#listed(owner, action.part, action.purpose);
      return { type: 'files', files: items, hasMore };
    }
    if (action.do === 'clear') return this.#clear();
    if (action.do === 'end') return this.#end(owner);
    if (action.do === 'add') return only(await this.#add(owner, action.file, maxBytes));
    const file = await this.#own(owner, action.id);
    if (action.do === 'delete') await this.#delete([file]);
    return { ...only(file), ...(action.do === 'read' && { content: await this.#content(file) }) };
  }

  /** Deletes the files that have expired, and those of owners that exist no longer. */
  async sweep(hasOwner: (owner: string) => boolean): Promise<void> {
    const all = await (await this.#open()).getAll('files');
    await this.#delete(all.filter((file) => isOver(file, this.#now()) || !hasOwner(file.owner)));
  }

  async #clear(): Promise<FilesEvent> {
    await inChange(this.#open, (transaction) =>
      Promise.all(ALL.map((name) => transaction.objectStore(name).clear())),
    );
    return NOTHING;
  }

  async #end(owner: string): Promise<FilesEvent> {
    await inRemoval(this.#open, async (transaction, isCounted) => {
      const own = (name: 'files' | 'stores') =>
        transaction.objectStore(name).index('owner').getAllKeys(beginning(owner));
      for (const id of await own('stores')) await removeStore(transaction, id, isCounted);
      for (const id of await own('files')) await removeFile(transaction, id, isCounted);
    });
    return NOTHING;
  }

  async #listed(owner: string, part: ListPart, purpose: string | undefined) {
    const { store } = (await this.#open()).transaction('files');
    const isOwn = (file: StoredFileFacts) => file.owner === owner && !isOver(file, this.#now());
    return readPart(store.index('owner'), {
      of: owner,
      part,
      find: async (id) => {
        const file = await store.get(id);
        return file && isOwn(file) ? file : undefined;
      },
      isWanted: (file) => isOwn(file) && (purpose ?? file.purpose) === file.purpose,
    });
  }

  async #own(owner: string, id: string): Promise<StoredFileFacts> {
    const file = await (await this.#open()).get('files', id);
    if (file?.owner === owner && !isOver(file, this.#now())) return file;
    throw refusal(404, `No such file: '${id}'.`, null, 'file_id');
  }

  async #content({ id }: StoredFileFacts): Promise<Blob> {
    const stored = await (await this.#open()).get('contents', id);
    return stored instanceof Blob ? stored : new Blob(stored ? [stored] : []);
  }

  async #add(owner: string, file: NewFile, maxBytes: number | undefined): Promise<StoredFileFacts> {
    const most = await mostBytes(this.#quota, maxBytes);
    const { content } = file;
    const bytes = content.size > MOST_INLINE ? content : await content.arrayBuffer();
    try {
      return await this.#put(owner, file, bytes, most);
    } catch (error) {
      if (isNamed(error, 'QuotaExceededError')) throw full('This browser gives no more space');
      // Private windows of WebKit refuse Blobs.
      if (!isNamed(error, 'UnknownError')) throw error;
      return this.#put(owner, file, await content.arrayBuffer(), most);
    }
  }

  async #put(
    owner: string,
    { id, filename, purpose, content, expiresAfter }: NewFile,
    bytes: Blob | ArrayBuffer,
    most: number,
  ): Promise<StoredFileFacts> {
    const names = ['files', 'contents', 'usage'] as const;
    const transaction = (await this.#open()).transaction(names, 'readwrite');
    const files = transaction.objectStore('files');
    const usage = transaction.objectStore('usage');
    // The transaction's end says why it failed; without this, its failure would count as unhandled before that.
    transaction.done.catch(() => undefined);
    const [known, newest, own, all] = await Promise.all([
      files.get(id),
      files.index('owner').openCursor(beginning(owner), 'prev'),
      usage.get(owner),
      usage.getAll(),
    ]);
    if (known) return known;
    const { files: count, bytes: used } = own ?? { files: 0, bytes: 0 };
    const total = all.reduce((sum, each) => sum + each.bytes, content.size);
    if (count >= MOST_FILES) throw full(`There are ${MOST_FILES} files`);
    if (total > most) throw full(`Files may take ${Math.floor(most)} bytes together`);
    const createdAt = Math.max(this.#now(), (newest?.value.createdAt ?? 0) + 1);
    const facts: StoredFileFacts = {
      id,
      owner,
      filename,
      purpose,
      bytes: content.size,
      createdAt,
      ...(expiresAfter !== undefined && { expiresAt: createdAt + expiresAfter * 1000 }),
    };
    const cause = await firstCause([
      files.put(facts),
      transaction.objectStore('contents').put(bytes, id),
      usage.put({ files: count + 1, bytes: used + content.size }, owner),
      transaction.done,
    ]);
    if (cause !== undefined) throw cause;
    return facts;
  }

  async #delete(gone: readonly StoredFileFacts[]): Promise<void> {
    if (gone.length === 0) return;
    await inRemoval(this.#open, async (transaction, isCounted) => {
      for (const { id } of gone) await removeFile(transaction, id, isCounted);
    });
  }
}

const NOTHING: FilesEvent = { type: 'files', files: [], hasMore: false };

function only(file: StoredFileFacts): FilesEvent {
  return { type: 'files', files: [file], hasMore: false };
}

/** Most bytes of all owners together, files and indexes. @param wanted - the site's limit */
export async function mostBytes(
  quota: () => Promise<number | undefined>,
  wanted = MOST_BYTES,
): Promise<number> {
  return Math.min(wanted, ((await quota()) ?? Infinity) * MOST_OF_QUOTA);
}

/** Whether a file has expired. */
export function isOver({ expiresAt = Infinity }: StoredFileFacts, now: number): boolean {
  return expiresAt <= now;
}
