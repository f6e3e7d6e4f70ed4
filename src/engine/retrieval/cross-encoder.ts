import { serverError } from '../../core/errors/errors.ts';
import { isHopeless, withinReach } from '../../core/text/hopeless-length.ts';
import type { EncodedText } from './encoded-text.ts';
import { tooLong } from './too-long.ts';

/** Computes the scores of a cross-encoder. */
export interface PairModel {
  pair(query: string, document: string): EncodedText;
  /** Whether a token belongs to neither text. */
  isSpecial(id: number): boolean;
  /** A number for each pair: the larger, the better the document fits. @throws ApiError 500 */
  logits(pairs: readonly EncodedText[]): Promise<ArrayLike<number>>;
  dispose(): Promise<void>;
}

/** A cross-encoder in memory: it reads a query and a document together, and tells how well they fit. */
export class CrossEncoder {
  readonly #maxTokens: number;
  readonly #model: PairModel;

  /** @param maxTokens - of query and document together, special ones included */
  constructor(maxTokens: number, model: PairModel) {
    this.#maxTokens = maxTokens;
    this.#model = model;
  }

  /**
   * Makes a function that encodes pairs with this query. A document that is too long loses its end.
   *
   * @param mostOfDocument - tokens
   * @throws ApiError 400 if the query leaves no place for a document
   */
  encoder(query: string, mostOfDocument = Infinity): (document: string) => EncodedText {
    const both = ' of query and document';
    const maxTokens = this.#maxTokens;
    // A tokenizer may take long over such a text.
    if (isHopeless(query, maxTokens)) throw tooLong('query', '', query, maxTokens, both);
    const { ids } = this.#model.pair(query, '');
    if (ids.length >= maxTokens) throw tooLong('query', '', ids, maxTokens, both);
    const most = Math.min(maxTokens, ids.length + mostOfDocument);
    return (document) =>
      this.#shortened(this.#model.pair(query, withinReach(document, maxTokens)), most);
  }

  /** @returns 0 to 1, in the order of the pairs */
  async scores(pairs: readonly EncodedText[]): Promise<number[]> {
    const logits = await this.#model.logits(pairs);
    if (logits.length !== pairs.length) {
      const message = `The model gave ${logits.length} scores for ${pairs.length} documents.`;
      throw serverError('model_unusable', message);
    }
    return Array.from(logits, (logit) => 1 / (1 + Math.exp(-logit)));
  }

  dispose(): Promise<void> {
    return this.#model.dispose();
  }

  /** Cuts the last tokens of the document; the special tokens at the end stay. */
  #shortened({ ids, types }: EncodedText, most: number): EncodedText {
    const excess = ids.length - most;
    if (excess <= 0) return { ids, types };
    const end = ids.findLastIndex((id) => !this.#model.isSpecial(id)) + 1;
    const without = (values: number[]) => values.toSpliced(end - excess, excess);
    return { ids: without(ids), types: types && without(types) };
  }
}
