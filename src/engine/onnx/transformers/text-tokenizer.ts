import { PreTrainedTokenizer } from '@huggingface/transformers';
import * as v from 'valibot';
import type { EncodedText } from '../../retrieval/encoded-text.ts';
import { requireUsablePatterns } from '../../download/hub/usable-patterns.ts';
import type { ReadFile } from '../../download/transfer/read-file.ts';
import { MODEL, orRuntimeError, serve } from './runtime.ts';

const encodingSchema = v.object({
  input_ids: v.array(v.number()),
  token_type_ids: v.optional(v.array(v.number())),
});

/** A model's tokenizer. */
export class TextTokenizer {
  readonly #tokenizer: PreTrainedTokenizer;
  readonly #special: ReadonlySet<number>;
  /** The number of ids of an empty text. */
  readonly #empty: number;

  private constructor(tokenizer: PreTrainedTokenizer) {
    this.#tokenizer = tokenizer;
    this.#special = new Set(tokenizer.all_special_ids);
    this.#empty = tokenizer.encode('').length;
  }

  /**
   * @param read - gives the model's files
   * @throws ModelFileError if the tokenizer cannot be used
   */
  static load(read: ReadFile): Promise<TextTokenizer> {
    serve(read);
    return orRuntimeError(async () => {
      const tokenizer = await PreTrainedTokenizer.from_pretrained(MODEL);
      requireUsablePatterns(tokenizer._tokenizerJSON);
      return new TextTokenizer(tokenizer);
    });
  }

  /** The token that shorter texts of a batch are filled up with. */
  get padding(): number {
    return this.#tokenizer.pad_token_id ?? 0;
  }

  ids(text: string): number[] {
    return this.#tokenizer.encode(text);
  }

  /** A pair of texts. */
  pair(first: string, second: string): EncodedText {
    const options = { text_pair: second, return_tensor: false, return_token_type_ids: true };
    const encoding = v.parse(encodingSchema, this.#tokenizer(first, options));
    return { ids: encoding.input_ids, types: encoding.token_type_ids };
  }

  /** The tokens of a text alone, without special tokens at its ends. */
  plainIds(text: string): number[] {
    return this.#tokenizer.encode(text, { add_special_tokens: false });
  }

  /** The id of a token; undefined: the model has no such token. */
  idOf(token: string): number | undefined {
    const ids = this.plainIds(token);
    const [id] = ids;
    return ids.length === 1 && id !== undefined && this.text([id]) === token ? id : undefined;
  }

  /** The text of tokens. A character that they hold only in part becomes U+FFFD. */
  text(ids: number[]): string {
    // transformers.js refuses to decode no tokens.
    if (ids.length === 0) return '';
    return this.#tokenizer.decode(ids, {
      skip_special_tokens: false,
      clean_up_tokenization_spaces: false,
    });
  }

  isSpecial(id: number): boolean {
    return this.#special.has(id);
  }

  /** Whether a character has a token. Tokenizers drop unknown characters or replace them. */
  knows(character: string): boolean {
    const ids = this.ids(character);
    return ids.length > this.#empty && !ids.includes(this.#tokenizer.unk_token_id);
  }
}
