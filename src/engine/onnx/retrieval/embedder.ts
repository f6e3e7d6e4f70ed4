import { jobFault, serverError } from '../../../core/protocol/errors.ts';
import type { TextRole } from '../../../core/protocol/jobs.ts';
import {
  readSentenceConfig,
  type SentenceConfig,
} from '../../../core/retrieval/sentence-config.ts';
import type { InstalledModel } from '../../weights/installed-model.ts';
import type { ReadFile } from '../../weights/read-file.ts';
import { TextGraph, type EncodedText, type GraphOutput } from '../transformers/text-graph.ts';
import { TextTokenizer } from '../transformers/text-tokenizer.ts';
import { configReader, dtypeOf, readingConfigs } from '../model-configs.ts';
import { cutAndNormalised, pooled } from './pooling.ts';

/** Outputs with a vector for each text: what follows the pooling has been done. */
const OF_TEXTS = ['sentence_embedding'];
const OF_TOKENS = ['last_hidden_state', 'token_embeddings'];

/** Names of a document's prompt in models' files. */
const PROMPT_NAMES: Record<TextRole, string[]> = {
  query: ['query'],
  document: ['document', 'passage'],
};

/** A sentence embedder in memory. */
export class Embedder {
  readonly #config: SentenceConfig;
  readonly #tokenizer: TextTokenizer;
  readonly #graph: TextGraph;

  private constructor(config: SentenceConfig, tokenizer: TextTokenizer, graph: TextGraph) {
    this.#config = config;
    this.#tokenizer = tokenizer;
    this.#graph = graph;
  }

  /** @throws ApiError 500 if the model's files do not say how its vectors are made */
  static async open({ entry, variant }: InstalledModel, read: ReadFile): Promise<Embedder> {
    const { id } = entry;
    const config = await readingConfigs(id, () => readSentenceConfig(configReader(read)));
    const tokenizer = await TextTokenizer.load(read);
    const dtype = dtypeOf(id, variant.quantization);
    const graph = await TextGraph.load('states', read, dtype, tokenizer.padding);
    return new Embedder(config, tokenizer, graph);
  }

  /** Numbers in a vector. @throws ApiError 400 for a length that the model was not trained for */
  dimensions(wanted: number | undefined): number {
    const { length, dimensions = [] } = this.#config.embedding;
    if (wanted === undefined || wanted === length || dimensions.includes(wanted)) {
      return wanted ?? length;
    }
    // Between two lengths that a model was trained for, its vectors are as good as those of the shorter one.
    if (dimensions.length > 0 && wanted < length) return wanted;
    const fits = dimensions.length > 0 ? `1 to ${length}` : `${length}, as long as its vectors are`;
    const code = 'unsupported_value';
    throw jobFault('dimensions', `must be ${fits}.`, { code });
  }

  /**
   * @param place - of the text in its request, for the error
   * @throws ApiError 400 if the text is too long, or if the model has no prompt for its role
   */
  encode(text: string, role: TextRole | undefined, place: number): EncodedText {
    const ids = this.#tokenizer.ids(this.#prompt(role) + text);
    const { maxTokens } = this.#config;
    if (ids.length <= maxTokens) return { ids };
    const message = `has ${ids.length} tokens, and this model reads at most ${maxTokens}.`;
    throw jobFault('texts', message, { path: `[${place}]`, code: 'context_length_exceeded' });
  }

  /** @returns vectors of length 1, in the order of the texts */
  async vectors(texts: readonly EncodedText[], dimensions: number): Promise<Float32Array[]> {
    const output = await this.#graph.run(texts, [...OF_TEXTS, ...OF_TOKENS]);
    return texts.map(({ ids }, index) =>
      cutAndNormalised(this.#vector(output, index, ids.length), dimensions),
    );
  }

  dispose(): Promise<void> {
    return this.#graph.dispose();
  }

  #prompt(role: TextRole | undefined): string {
    if (!role) return '';
    const { prompts } = this.#config;
    const name = PROMPT_NAMES[role].find((known) => Object.hasOwn(prompts, known));
    if (name !== undefined) return prompts[name] ?? '';
    const text = `'${role}' is not supported: the model’s configuration names no prompt for it.`;
    throw jobFault('role', text, { code: 'unsupported_value' });
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
