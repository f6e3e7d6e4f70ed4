/** How much of prompts is kept on disk. */
export interface KeptPromptsSize {
  /** How many prompts are kept. */
  prompts: number;
  bytes: number;
}

export interface PromptCache {
  /** How much is kept on disk by all pages and keys of the site. */
  size(): Promise<KeptPromptsSize>;
  /** Deletes all that is kept on disk, also for keys. What models in memory hold stays. */
  clear(): Promise<void>;
}
