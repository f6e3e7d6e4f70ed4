/** A text, or a pair of texts, as a model reads it. */
export interface EncodedText {
  ids: number[];
  /** 0 for each token of the first text, 1 for those of the second; undefined: the model has no token types. */
  types?: number[] | undefined;
  /** How many of the first tokens the pooling leaves out; undefined: none. */
  promptTokens?: number | undefined;
}
