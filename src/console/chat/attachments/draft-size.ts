import { signal, type ReadonlySignal } from '@preact/signals';
import { countText, countTokens, type Question } from '../answer/api-client.ts';
import type { ApiAccess } from '../answer/api-request.ts';
import { countOrTooMany } from '../answer/too-long.ts';
import { fileText, type Attachment } from './attachment.ts';

/** How much of a model's context a question with files takes. */
export interface Size {
  /** Tokens of each file, by the id of the attachment; Infinity: far too many to be counted. */
  files: ReadonlyMap<string, number>;
  /** Tokens of the whole conversation with the files; Infinity: far too many to be counted. */
  total: number;
  /** Tokens that the model holds. */
  context: number;
}

/** Whether the conversation with its files does not fit into the context. */
export function tooLong({ total, context }: Size): boolean {
  return total >= context;
}

type Counted = Pick<Question, 'model' | 'messages'>;

/** Counts the tokens of attached files for the model that will read them. */
export class DraftSize {
  readonly #api: ApiAccess;
  readonly #size = signal<Size | null>(null);
  #counting = new AbortController();
  /** Null: no file is attached, or the size is not known. */
  readonly size: ReadonlySignal<Size | null> = this.#size;

  constructor(api: ApiAccess) {
    this.#api = api;
  }

  /**
   * Counts again, and aborts the count before.
   *
   * @param context - tokens that the model holds; undefined: unknown, and nothing is counted
   */
  async count(
    attachments: readonly Attachment[],
    question: Counted,
    context: number | undefined,
  ): Promise<void> {
    this.#counting.abort();
    this.#counting = new AbortController();
    const { signal: stopping } = this.#counting;
    this.#size.value = null;
    if (context === undefined || !attachments.some(({ kind }) => kind === 'file')) return;
    try {
      const files = await this.#filesOf(attachments, question.model, stopping);
      const total = await this.#total(question, stopping);
      if (!stopping.aborted) this.#size.value = { files, context, total };
    } catch {
      // If the model cannot count or fails to load, the user learns that from the answer.
    }
  }

  async #filesOf(
    attachments: readonly Attachment[],
    model: string,
    stopping: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const files = new Map<string, number>();
    for (const attached of attachments) {
      if (attached.kind !== 'file') continue;
      const tokens = await countOrTooMany(() =>
        countText(this.#api, { model, prompt: fileText(attached) }, stopping),
      );
      files.set(attached.id, tokens);
    }
    return files;
  }

  #total(question: Counted, stopping: AbortSignal): Promise<number> {
    return countOrTooMany(() => countTokens(this.#api, question, stopping));
  }
}
