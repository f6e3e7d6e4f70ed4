/** What WebLLM needs to load a model whose files the cache shim serves. */
export interface LoadOptions {
  /** Path of the model library (WebAssembly) among the model's files. */
  modelLibrary: string;
  /** Overrides of the model's `mlc-chat-config.json`. */
  overrides: Record<string, unknown>;
  /** Ids of all tokens that end the model's turn. */
  stopTokenIds: number[];
  /** Ids that WebLLM puts before a first prompt, for models whose template cannot write them. */
  prefixTokenIds: number[] | null;
  /** Whether the GPU must have `shader-f16`. */
  needsF16: boolean;
  /** Whether the model may take this much more memory, bytes. */
  canAllocate: (bytes: number) => Promise<boolean>;
}
