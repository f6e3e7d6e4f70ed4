import { jobFault } from '../../core/errors/errors.ts';
import { isHopeless } from '../../core/text/hopeless-length.ts';
import { divideText, USUAL_CHUNKS, type ChunkSize } from '../../core/retrieval/divide-text.ts';
import type { DividedChunk } from '../../core/operations/events/events.ts';
import type { TextRole } from '../../core/operations/jobs/jobs.ts';
import type { SentenceConfig } from '../../core/files/retrieval/sentence-config.ts';
import type { EncodedText } from './encoded-text.ts';
import { cutAndNormalised } from './pooling.ts';
import { tooLong } from './too-long.ts';

/** Computes the vectors of an embedder. */
export interface SentenceModel {
  /** The tokens of a text, special ones included. */
  ids(text: string): number[];
  /** The vector of each text, whole and of any length. @throws ApiError 500 */
  vectors(texts: readonly EncodedText[]): Promise<Float32Array[]>;
  dispose(): Promise<void>;
}

export type EmbedderFacts = Pick<SentenceConfig, 'embedding' | 'maxTokens' | 'prompts'> &
  Partial<Pick<SentenceConfig, 'poolsWithoutPrompt'>>;

/** Names of each role's prompt in models' files. */
const PROMPT_NAMES: Record<TextRole, string[]> = {
  query: ['query'],
  document: ['document', 'passage', 'corpus'],
};

/** A sentence embedder in memory, whatever computes its vectors. */
export class Embedder {
  readonly #facts: EmbedderFacts;
  readonly #model: SentenceModel;

  constructor(facts: EmbedderFacts, model: SentenceModel) {
    this.#facts = facts;
    this.#model = model;
  }

  /** Length of the vectors. @throws ApiError 400 for a length that the model was not trained for */
  dimensions(wanted: number | undefined): number {
    const { length, dimensions = [] } = this.#facts.embedding;
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
    const prompt = this.#prompt(role);
    const { maxTokens } = this.#facts;
    const path = `[${place}]`;
    // A tokenizer may take long over such a text.
    if (isHopeless(text, maxTokens)) throw tooLong('texts', path, text, maxTokens);
    const ids = this.#model.ids(prompt + text);
    if (ids.length <= maxTokens) return { ids, promptTokens: this.#skippedTokens(prompt, ids) };
    throw tooLong('texts', path, ids, maxTokens);
  }

  /** Divides a document into chunks, and those that are longer than the model reads into pieces. */
  divide(text: string, size: ChunkSize | undefined): { chunks: DividedChunk[]; size: ChunkSize } {
    const special = this.#model.ids('').length;
    const count = (piece: string) => this.#model.ids(piece).length - special;
    const prompt = this.#promptOf('document') ?? '';
    const maxTokens = Math.max(
      1,
      this.#facts.maxTokens - special - (prompt === '' ? 0 : count(prompt)),
    );
    const usual = Math.min(USUAL_CHUNKS.maxTokens, maxTokens);
    const made = size ?? { maxTokens: usual, overlapTokens: usual >> 1 };
    const chunks = divideText(text, made, count).map((chunk) => ({
      text: chunk,
      pieces:
        count(chunk) <= maxTokens
          ? [chunk]
          : divideText(chunk, { maxTokens, overlapTokens: 0 }, count),
    }));
    return { chunks, size: made };
  }

  /** @returns vectors of length 1, in the order of the texts */
  async vectors(texts: readonly EncodedText[], dimensions: number): Promise<Float32Array[]> {
    const vectors = await this.#model.vectors(texts);
    return vectors.map((vector) => cutAndNormalised(vector, dimensions));
  }

  dispose(): Promise<void> {
    return this.#model.dispose();
  }

  /** Tokens that pooling skips. Like sentence-transformers, counts the prompt's without the special one at its end. */
  #skippedTokens(prompt: string, ofBoth: number[]): number | undefined {
    if (prompt === '' || !this.#facts.poolsWithoutPrompt) return undefined;
    const ids = this.#model.ids(prompt);
    const isSpecial = ids.at(-1) === this.#model.ids('').at(-1);
    return Math.min(ofBoth.length - 1, isSpecial ? ids.length - 1 : ids.length);
  }

  /** The prompt that the model's configuration names for a role. */
  #promptOf(role: TextRole): string | undefined {
    const { prompts } = this.#facts;
    const name = PROMPT_NAMES[role].find((known) => Object.hasOwn(prompts, known));
    return name === undefined ? undefined : prompts[name];
  }

  #prompt(role: TextRole | undefined): string {
    if (!role) return '';
    const prompt = this.#promptOf(role);
    if (prompt !== undefined) return prompt;
    // If only queries have a prompt, documents are read as they are, like in sentence-transformers.
    if (role === 'document' && Object.hasOwn(this.#facts.prompts, 'query')) return '';
    const text = `'${role}' is not supported: the model’s configuration names no prompt for it.`;
    throw jobFault('role', text, { code: 'unsupported_value' });
  }
}
