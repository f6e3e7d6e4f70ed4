import { member } from '../../json.ts';
import { list, number, text } from '../conversation/files/values.ts';
import { call, post, RequestError, type ApiAccess } from '../answer/api-request.ts';
import { describeFailure } from '../answer/api-failure.ts';
import type { StoredAttachment } from '../attachments/attachment.ts';

/** How many files have been read, of all. */
export interface Indexed {
  read: number;
  all: number;
}

/** Tells the console's vector stores from those of the site's other pages. */
const METADATA = { made_by: 'slashv1-console' };
/** How often the store is asked how far it is, milliseconds. */
const ASK_EACH_MS = 250;

interface Storing {
  /** Whether a model is installed that finds passages by their meaning; otherwise they are found by words. */
  hasEmbedder: boolean;
  signal: AbortSignal;
  onProgress: (indexed: Indexed) => void;
}

/**
 * Puts files into a new vector store, and waits until they are indexed. Files that cannot be read are left out.
 *
 * @throws Error if no file can be read, with the reason of the first; the signal's reason. Then nothing is stored
 */
export async function storeFiles(
  api: ApiAccess,
  name: string,
  files: readonly File[],
  { hasEmbedder, signal, onProgress }: Storing,
): Promise<StoredAttachment> {
  const body = { name, metadata: METADATA, ...(!hasEmbedder && { embedding_model: null }) };
  const store = text(member(await asked(post(api, '/vector_stores', body, signal)), 'id'));
  try {
    let reason = '';
    for (const [at, file] of files.entries()) {
      onProgress({ read: at, all: files.length * 2 });
      reason ||= await put(api, store, file, signal);
    }
    const count = await indexed(api, store, signal, ({ read, all }) =>
      onProgress({ read: files.length + read, all: files.length + all }),
    );
    if (count === 0) throw new Error(reason || (await faultOf(api, store, signal)));
    return { kind: 'stored', id: crypto.randomUUID(), name, store, count };
  } catch (error) {
    await removeStore(api, store).catch(() => undefined);
    throw error;
  }
}

/** Uploads a file and puts it into the store. Returns why it was refused; empty: it was not. */
async function put(
  api: ApiAccess,
  store: string,
  file: File,
  signal: AbortSignal,
): Promise<string> {
  const form = new FormData();
  form.append('purpose', 'assistants');
  form.append('file', file);
  try {
    const id = text(member(await asked(post(api, '/files', form, signal)), 'id'));
    await post(api, `/vector_stores/${store}/files`, { file_id: id }, signal);
    return '';
  } catch (error) {
    signal.throwIfAborted();
    // If the disk is full, so it is for the next file.
    const { code, message } = describeFailure(error);
    if (code === 'storage_full' || code === 'files_not_enabled') throw error;
    return message;
  }
}

/** Waits until every file of the store is read or has failed. Returns how many are read. */
async function indexed(
  api: ApiAccess,
  store: string,
  signal: AbortSignal,
  onProgress: (indexed: Indexed) => void,
): Promise<number> {
  for (;;) {
    const found = await asked(call(api, 'GET', `/vector_stores/${store}`, signal));
    const counts = member(found, 'file_counts');
    const [all, waiting] = [number(member(counts, 'total')), number(member(counts, 'in_progress'))];
    onProgress({ read: all - waiting, all });
    if (waiting === 0) return number(member(counts, 'completed'));
    await new Promise((resolve) => setTimeout(resolve, ASK_EACH_MS));
  }
}

/** Why the first file could not be read. */
async function faultOf(api: ApiAccess, store: string, signal: AbortSignal): Promise<string> {
  const path = `/vector_stores/${store}/files?limit=1`;
  const [first] = list(member(await asked(call(api, 'GET', path, signal)), 'data'));
  return text(member(member(first, 'last_error'), 'message'));
}

/** Whether the API says that it has no such vector store. */
export async function isGone(api: ApiAccess, store: string, signal: AbortSignal): Promise<boolean> {
  try {
    await call(api, 'GET', `/vector_stores/${store}`, signal);
    return false;
  } catch (error) {
    return error instanceof RequestError && error.status === 404;
  }
}

/** Deletes a vector store with its files. */
export async function removeStore(api: ApiAccess, store: string): Promise<void> {
  const { signal } = new AbortController();
  for (;;) {
    const path = `/vector_stores/${store}/files?limit=100`;
    const found = list(member(await asked(call(api, 'GET', path, signal)), 'data'));
    // A deleted file leaves its stores, so the next list begins with the next ones.
    for (const file of found) {
      await call(api, 'DELETE', `/files/${text(member(file, 'id'))}`, signal);
    }
    if (found.length === 0) break;
  }
  await call(api, 'DELETE', `/vector_stores/${store}`, signal);
}

/**
 * Deletes the stores of chats that have been deleted. A store is not missed on its first day: the question that it was
 * attached to may not have been sent yet, and a deleted chat may come back.
 *
 * @param known - ids of the stores that chats have
 */
export async function tidyStores(api: ApiAccess, known: ReadonlySet<string>): Promise<void> {
  const stores = await allStores(api);
  const yesterday = Date.now() / 1000 - 86_400;
  for (const store of stores) {
    const id = text(member(store, 'id'));
    const isOurs = member(member(store, 'metadata'), 'made_by') === METADATA.made_by;
    const isOld = number(member(store, 'created_at')) < yesterday;
    if (isOurs && isOld && !known.has(id)) await removeStore(api, id);
  }
}

async function allStores(api: ApiAccess): Promise<unknown[]> {
  const { signal } = new AbortController();
  const all: unknown[] = [];
  for (let after = ''; ;) {
    const page = await asked(call(api, 'GET', `/vector_stores?limit=100${after}`, signal));
    all.push(...list(member(page, 'data')));
    if (member(page, 'has_more') !== true) return all;
    after = `&after=${text(member(page, 'last_id'))}`;
  }
}

async function asked(response: Promise<Response>): Promise<unknown> {
  return (await response).json();
}
