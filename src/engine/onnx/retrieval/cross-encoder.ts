import { jobFault, serverError } from '../../../core/protocol/errors.ts';
import { readRankerConfig } from '../../../core/retrieval/sentence-config.ts';
import type { InstalledModel } from '../../weights/installed-model.ts';
import type { ReadFile } from '../../weights/read-file.ts';
import { TextGraph, type EncodedText } from '../transformers/text-graph.ts';
import { TextTokenizer } from '../transformers/text-tokenizer.ts';
import { configReader, dtypeOf, readingConfigs } from '../model-configs.ts';

/** A cross-encoder in memory: it reads a query and a document together, and tells how well they fit. */
export class CrossEncoder {
  readonly #maxTokens: number;
  readonly #tokenizer: TextTokenizer;
  readonly #graph: TextGraph;

  private constructor(maxTokens: number, tokenizer: TextTokenizer, graph: TextGraph) {
    this.#maxTokens = maxTokens;
    this.#tokenizer = tokenizer;
    this.#graph = graph;
  }

  /** @throws ApiError 500 if the model's files do not say that it ranks */
  static async open({ entry, variant }: InstalledModel, read: ReadFile): Promise<CrossEncoder> {
    const { id } = entry;
    const { maxTokens } = await readingConfigs(id, () => readRankerConfig(configReader(read)));
    const tokenizer = await TextTokenizer.load(read);
    const dtype = dtypeOf(id, variant.quantization);
    const graph = await TextGraph.load('score', read, dtype, tokenizer.padding);
    return new CrossEncoder(maxTokens, tokenizer, graph);
  }

  /**
   * How pairs with this query are encoded. A document that is too long loses its end.
   *
   * @param mostOfDocument - tokens
   * @throws ApiError 400 if the query leaves no place for a document
   */
  encoder(query: string, mostOfDocument = Infinity): (document: string) => EncodedText {
    const withoutDocument = this.#tokenizer.pair(query, '').ids.length;
    if (withoutDocument >= this.#maxTokens) {
      const text = `has ${withoutDocument} tokens, and this model reads at most ${this.#maxTokens} of query and document.`;
      throw jobFault('query', text, { code: 'context_length_exceeded' });
    }
    const most = Math.min(this.#maxTokens, withoutDocument + mostOfDocument);
    return (document) => this.#shortened(this.#tokenizer.pair(query, document), most);
  }

  /** @returns 0 to 1, in the order of the pairs */
  async scores(pairs: readonly EncodedText[]): Promise<number[]> {
    const { values } = await this.#graph.run(pairs, ['logits']);
    if (values.length !== pairs.length) {
      const message = `The model gave ${values.length} scores for ${pairs.length} documents.`;
      throw serverError('model_unusable', message);
    }
    return Array.from(values, (logit) => 1 / (1 + Math.exp(-logit)));
  }

  dispose(): Promise<void> {
    return this.#graph.dispose();
  }

  /** Without the last tokens of the document; the special ones at the end stay. */
  #shortened({ ids, types }: EncodedText, most: number): EncodedText {
    const excess = ids.length - most;
    if (excess <= 0) return { ids, types };
    const end = ids.findLastIndex((id) => !this.#tokenizer.isSpecial(id)) + 1;
    const without = (values: number[]) => values.toSpliced(end - excess, excess);
    return { ids: without(ids), types: types && without(types) };
  }
}
