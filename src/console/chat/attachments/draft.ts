import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { fill } from '../../messages/fill.ts';
import { messages } from '../../messages/messages.ts';
import type { Library } from '../library/library.ts';
import type { Indexed } from '../library/stored-files.ts';
import type { Attachment } from './attachment.ts';
import { isRead, readAttachment } from './read-file.ts';
import { describeFailure } from '../answer/api-failure.ts';
import type { ReadPages } from './read-pdf.ts';

/** A file that is being read. */
export interface ReadingFile {
  id: string;
  name: string;
  /** How much of a PDF has been read; undefined: not known. */
  pages?: ReadPages;
  /** How far files are that are stored; undefined: they are not. */
  indexed?: Indexed;
  cancel: () => void;
}

type Progress = Pick<ReadingFile, 'pages' | 'indexed'>;

/** The question that the user is writing. */
export class Draft {
  readonly text = signal('');
  readonly #attachments = signal<readonly Attachment[]>([]);
  readonly #problem = signal('');
  readonly #reading = signal<readonly ReadingFile[]>([]);
  readonly attachments: ReadonlySignal<readonly Attachment[]> = this.#attachments;
  /** Why a file could not be attached; empty: nothing failed. */
  readonly problem: ReadonlySignal<string> = this.#problem;
  readonly reading: ReadonlySignal<readonly ReadingFile[]> = this.#reading;
  readonly hasImages = computed(() => this.#attachments.value.some(({ kind }) => kind === 'image'));
  readonly #library: Library;
  readonly #mayStore: () => boolean;
  /** The files whose text is attached, by the attachment. */
  readonly #files = new Map<string, File>();

  /** @param mayStore - whether files of this chat may be stored in the browser */
  constructor(library: Library, mayStore: () => boolean) {
    this.#library = library;
    this.#mayStore = mayStore;
  }

  async add(files: Iterable<File>): Promise<void> {
    this.#problem.value = '';
    for (const file of files) {
      if (!isRead(file)) await this.#store(file.name, [file]);
      else {
        const read = await this.#show(file.name, (stopping, show) =>
          readAttachment(file, stopping, (pages) => show({ pages })),
        );
        if (read) this.#files.set(read.id, file);
      }
    }
  }

  /** Attaches all files of a folder. They are stored, and searched. */
  async addFolder(name: string, files: readonly File[]): Promise<void> {
    this.#problem.value = '';
    if (files.length > 0) await this.#store(name, files);
    else this.#problem.value = fill(messages.value.attachments.noText, { name });
  }

  /** Stores an attached file, instead of letting the model read all of it. Does nothing if that is not possible. */
  async storeFile(id: string): Promise<void> {
    const file = this.#files.get(id);
    if (!file || !this.#mayStore()) return;
    this.remove(id);
    await this.#store(file.name, [file]);
  }

  /** Whether a file that is too long can be stored. */
  get mayStore(): boolean {
    return this.#mayStore();
  }

  async #store(name: string, files: readonly File[]): Promise<void> {
    if (!this.#mayStore()) {
      this.#problem.value = fill(messages.value.attachments.notStored, { name });
      return;
    }
    await this.#show(name, (stopping, show) =>
      this.#library.store(name, files, stopping, (indexed) => show({ indexed })),
    );
  }

  /** Shows what is being read, and attaches it. Undefined: it was cancelled, or it failed, which is said. */
  async #show(
    name: string,
    read: (stopping: AbortSignal, show: (more: Progress) => void) => Promise<Attachment>,
  ): Promise<Attachment | undefined> {
    const id = crypto.randomUUID();
    const stopping = new AbortController();
    const others = () => this.#reading.value.filter((reading) => reading.id !== id);
    const show = (more: Progress = {}) => {
      // A message of the reader may arrive after the cancel.
      if (stopping.signal.aborted) return;
      const shown = { id, name, cancel: () => stopping.abort(), ...more };
      this.#reading.value = [...others(), shown];
    };
    show();
    try {
      const attached = await read(stopping.signal, show);
      if (stopping.signal.aborted) return undefined;
      this.#attachments.value = [...this.#attachments.value, attached];
      return attached;
    } catch (error) {
      if (!stopping.signal.aborted) this.#problem.value = describeFailure(error).message;
      return undefined;
    } finally {
      this.#reading.value = others();
    }
  }

  remove(id: string): void {
    this.#problem.value = '';
    const removed = this.#attachments.value.find((attached) => attached.id === id);
    this.#attachments.value = this.#attachments.value.filter((attached) => attached !== removed);
    this.#files.delete(id);
    if (removed?.kind === 'stored') void this.#library.remove(removed.store);
  }

  /** Returns the attachments, and removes them. */
  take(): readonly Attachment[] {
    const { value } = this.#attachments;
    this.#attachments.value = [];
    this.#problem.value = '';
    this.#files.clear();
    return value;
  }
}
