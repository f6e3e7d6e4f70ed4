import { serverError } from '../../../core/protocol/errors.ts';
import {
  readSentenceConfig,
  type SentenceConfig,
} from '../../../core/retrieval/sentence-config.ts';
import { Embedder, type SentenceModel } from '../../retrieval/embedder.ts';
import type { EncodedText } from '../../retrieval/encoded-text.ts';
import { pooled } from '../../retrieval/pooling.ts';
import type { InstalledModel } from '../../weights/installed-model.ts';
import { configReader, readingConfigs } from '../../weights/read-configs.ts';
import type { ReadFile } from '../../weights/read-file.ts';
import { TextGraph, type GraphOutput } from '../transformers/text-graph.ts';
import { TextTokenizer } from '../transformers/text-tokenizer.ts';
import { dtypeOf } from '../model-configs.ts';

/** Outputs with a vector for each text: what follows the pooling has been done. */
const OF_TEXTS = ['sentence_embedding'];
const OF_TOKENS = ['last_hidden_state', 'token_embeddings'];

/** @throws ApiError 500 if the model's files do not say how its vectors are made */
export async function openEmbedder(
  { entry: { id }, variant }: InstalledModel,
  read: ReadFile,
): Promise<Embedder> {
  const config = await readingConfigs(id, () => readSentenceConfig(configReader(read)));
  const tokenizer = await TextTokenizer.load(read);
  const dtype = dtypeOf(id, variant.quantization);
  const graph = await TextGraph.load('states', read, dtype, tokenizer.padding);
  return new Embedder(config, new SentenceGraph(config, tokenizer, graph));
}

/** A graph that gives vectors, of texts or of their tokens. */
class SentenceGraph implements SentenceModel {
  readonly #config: SentenceConfig;
  readonly #tokenizer: TextTokenizer;
  readonly #graph: TextGraph;

  constructor(config: SentenceConfig, tokenizer: TextTokenizer, graph: TextGraph) {
    this.#config = config;
    this.#tokenizer = tokenizer;
    this.#graph = graph;
  }

  ids(text: string): number[] {
    return this.#tokenizer.ids(text);
  }

  async vectors(texts: readonly EncodedText[]): Promise<Float32Array[]> {
    const output = await this.#graph.run(texts, [...OF_TEXTS, ...OF_TOKENS]);
    return texts.map(({ ids }, index) => this.#vector(output, index, ids.length));
  }

  dispose(): Promise<void> {
    return this.#graph.dispose();
  }

  #vector({ name, values, dims }: GraphOutput, index: number, length: number): Float32Array {
    const width = dims.at(-1) ?? 0;
    if (OF_TEXTS.includes(name)) return values.subarray(index * width, (index + 1) * width);
    const { pooling, furtherModules } = this.#config;
    const [further] = furtherModules;
    if (further !== undefined) {
      throw serverError(
        'model_unusable',
        `The model's modules.json has ${further}, which its graph leaves out.`,
      );
    }
    const perText = (dims[1] ?? 0) * width;
    const states = values.subarray(index * perText, (index + 1) * perText);
    return pooled({ values: states, length, width }, pooling);
  }
}
