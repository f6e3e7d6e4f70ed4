import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { errorMessage } from '../../error-message.ts';
import type { Attachment } from './attachment.ts';
import { readAttachment } from './read-file.ts';

/** Attachments of the question that the user is writing. */
export class Draft {
  readonly #attachments = signal<readonly Attachment[]>([]);
  readonly #problem = signal('');
  readonly #pending = signal(0);
  readonly attachments: ReadonlySignal<readonly Attachment[]> = this.#attachments;
  /** Why a file could not be attached; empty: nothing failed. */
  readonly problem: ReadonlySignal<string> = this.#problem;
  /** Whether files are being read. */
  readonly isReading = computed(() => this.#pending.value > 0);
  readonly hasImages = computed(() => this.#attachments.value.some(({ kind }) => kind === 'image'));

  async add(files: Iterable<File>): Promise<void> {
    this.#problem.value = '';
    for (const file of files) {
      this.#pending.value += 1;
      try {
        this.#attachments.value = [...this.#attachments.value, await readAttachment(file)];
      } catch (error) {
        this.#problem.value = errorMessage(error);
      } finally {
        this.#pending.value -= 1;
      }
    }
  }

  remove(id: string): void {
    this.#problem.value = '';
    this.#attachments.value = this.#attachments.value.filter((attached) => attached.id !== id);
  }

  /** Returns the attachments, and clears the draft. */
  take(): readonly Attachment[] {
    const { value } = this.#attachments;
    this.#attachments.value = [];
    this.#problem.value = '';
    return value;
  }
}
