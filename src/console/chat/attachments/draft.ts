import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Attachment } from './attachment.ts';
import { readAttachment } from './read-file.ts';
import { messageOf } from '../../../core/text/message-of.ts';
import type { ReadPages } from './read-pdf.ts';

/** A file that is being read. */
export interface ReadingFile {
  id: string;
  name: string;
  /** How much of a PDF has been read; undefined: not known. */
  pages?: ReadPages;
  cancel: () => void;
}

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

  async add(files: Iterable<File>): Promise<void> {
    this.#problem.value = '';
    for (const file of files) await this.#read(file);
  }

  async #read(file: File): Promise<void> {
    const id = crypto.randomUUID();
    const stopping = new AbortController();
    const others = () => this.#reading.value.filter((reading) => reading.id !== id);
    const show = (more: Pick<ReadingFile, 'pages'> = {}) => {
      // A message of the reader may arrive after the cancel.
      if (stopping.signal.aborted) return;
      const shown = { id, name: file.name, cancel: () => stopping.abort(), ...more };
      this.#reading.value = [...others(), shown];
    };
    show();
    try {
      const attached = await readAttachment(file, stopping.signal, (pages) => show({ pages }));
      if (!stopping.signal.aborted)
        this.#attachments.value = [...this.#attachments.value, attached];
    } catch (error) {
      if (!stopping.signal.aborted) this.#problem.value = messageOf(error);
    } finally {
      this.#reading.value = others();
    }
  }

  remove(id: string): void {
    this.#problem.value = '';
    this.#attachments.value = this.#attachments.value.filter((attached) => attached.id !== id);
  }

  /** Returns the attachments, and removes them. */
  take(): readonly Attachment[] {
    const { value } = this.#attachments;
    this.#attachments.value = [];
    this.#problem.value = '';
    return value;
  }
}
