import type { ModelShelf } from '../../models/model-shelf.ts';
import { isReadyToUse } from '../../models/stages.ts';
import { fetched } from '../../ui/fetched.ts';
import { readSetting, writeSetting } from '../../ui/settings.ts';
import type { ApiAccess } from '../answer/api-request.ts';
import { storedOf, type StoredAttachment } from '../attachments/attachment.ts';
import type { Conversations } from '../conversation/conversations.ts';
import type { Indexed } from './stored-files.ts';

/** Stores files that are too long for a model. What does that is fetched with the first one. */
export class Library {
  readonly #api: ApiAccess;
  readonly #shelf: ModelShelf;

  constructor(api: ApiAccess, shelf: ModelShelf) {
    this.#api = api;
    this.#shelf = shelf;
  }

  /** Whether passages are found by their meaning; otherwise, they are found by their words. */
  get hasEmbedder(): boolean {
    return this.#shelf.all.value.some((model) => model.task === 'embedding' && isReadyToUse(model));
  }

  /**
   * Stores files, and waits until they can be searched.
   *
   * @throws Error for the user if none can be read; the signal's reason
   */
  async store(
    name: string,
    files: readonly File[],
    signal: AbortSignal,
    onProgress: (indexed: Indexed) => void,
  ): Promise<StoredAttachment> {
    const { storeFiles } = await fetched(import('./stored-files.ts'));
    writeSetting('library', 'yes');
    const { hasEmbedder } = this;
    return storeFiles(this.#api, name, files, { hasEmbedder, signal, onProgress });
  }

  /** Deletes a store that no question has. */
  async remove(store: string): Promise<void> {
    const { removeStore } = await import('./stored-files.ts');
    // What could not be deleted is deleted at a later visit.
    await removeStore(this.#api, store).catch(() => undefined);
  }

  /** The first of these files that are no longer stored; undefined: all are, as far as the API says. */
  async firstGone(
    files: readonly StoredAttachment[],
    signal: AbortSignal,
  ): Promise<StoredAttachment | undefined> {
    const { isGone } = await import('./stored-files.ts');
    for (const file of files) if (await isGone(this.#api, file.store, signal)) return file;
    return undefined;
  }

  /** Deletes the files of chats that have been deleted. */
  async tidy({ list, failure }: Conversations): Promise<void> {
    // Chats that could not be read are not deleted.
    if (readSetting('library') === null || failure.value !== '') return;
    const { tidyStores } = await import('./stored-files.ts');
    const turns = list.value.flatMap((conversation) => conversation.turns);
    await tidyStores(this.#api, new Set(storedOf(turns).map(({ store }) => store)));
  }
}
