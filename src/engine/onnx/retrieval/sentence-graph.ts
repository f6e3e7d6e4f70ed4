import { serverError } from '../../../core/errors/errors.ts';
import {
  MODULES,
  OF_TEXTS,
  readSentenceConfig,
  readWholeConfig,
  type SentenceConfig,
} from '../../../core/files/retrieval/sentence-config.ts';
import { Embedder, type SentenceModel } from '../../retrieval/embedder.ts';
import type { EncodedText } from '../../retrieval/encoded-text.ts';
import { pooled } from '../../retrieval/pooling.ts';
import type { InstalledModel } from '../../download/installer/installed-model.ts';
import { configReader, readingConfigs } from '../../download/hub/read-configs.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { TextGraph, type GraphOutput } from '../transformers/text-graph.ts';
import { TextTokenizer } from '../transformers/text-tokenizer.ts';
import { dtypeOf } from '../model-configs.ts';

const OF_TOKENS = ['last_hidden_state', 'token_embeddings'];

/** @throws ApiError 500 if the model's files do not say how its vectors are made */
export async function openEmbedder(
  { entry, variant }: InstalledModel,
  read: ReadFile,
): Promise<Embedder> {
  const { id } = entry;
  const length = entry.task === 'embedding' ? entry.embedding.length : undefined;
  const config = await readingConfigs(id, async () =>
    (await read(MODULES))
      ? readSentenceConfig(configReader(read))
      : readWholeConfig(configReader(read), length),
  );
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
    const output = await this.#graph.run(texts, [OF_TEXTS, ...OF_TOKENS]);
    return texts.map((text, index) => this.#vector(output, index, text));
  }

  dispose(): Promise<void> {
    return this.#graph.dispose();
  }

  #vector(output: GraphOutput, index: number, text: EncodedText): Float32Array {
    const vector =
      output.name === OF_TEXTS ? whole(output, index, text) : this.#pooled(output, index, text);
    const { length } = this.#config.embedding;
    if (vector.length === length) return vector;
    throw unusable(`its vectors have ${vector.length} numbers, and its files say ${length}`);
  }

  #pooled({ values, dims }: GraphOutput, index: number, text: EncodedText): Float32Array {
    const { pooling, furtherModules } = this.#config;
    const [further] = furtherModules;
    if (further !== undefined)
      throw unusable(`its ${MODULES} has ${further}, which its graph leaves out`);
    if (pooling.length === 0)
      throw unusable(`it has no ${MODULES}, and its graph no output ${OF_TEXTS}`);
    const width = dims.at(-1) ?? 0;
    const perText = (dims[1] ?? 0) * width;
    const states = values.subarray(index * perText, (index + 1) * perText);
    return pooled(
      { values: states, length: text.ids.length, width, skipped: text.promptTokens },
      pooling,
    );
  }
}

function whole({ values, dims }: GraphOutput, index: number, { promptTokens }: EncodedText) {
  if (promptTokens !== undefined)
    throw unusable('its files leave out prompts when they pool, and its graph does not');
  const width = dims.at(-1) ?? 0;
  return values.subarray(index * width, (index + 1) * width);
}

function unusable(fault: string) {
  return serverError('model_unusable', `The model cannot be used: ${fault}.`);
}
