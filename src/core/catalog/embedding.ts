/** The details of a model whose task is `embedding`. */
export interface Embedding {
  /** Numbers in a vector. */
  length: number;
  /** Shorter lengths that its vectors may be cut to, as the model was trained (Matryoshka). */
  dimensions?: number[];
}
