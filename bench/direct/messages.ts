/** A model as WebLLM itself is told of it. */
export interface DirectModel {
  /** Absolute, ends in `/resolve/main/`: WebLLM asks for all files below it. */
  url: string;
  /** Absolute URL of the model library. */
  modelLibrary: string;
  stopTokenIds: number[];
}

/** Page → worker that runs WebLLM. */
export type ToDirectWorker =
  | { type: 'load'; model: DirectModel }
  | { type: 'unload' }
  /** The rendered prompt; greedy. */
  | { type: 'generate'; prompt: string; maxTokens: number };

/** Worker → page, for one request at a time. */
export type FromDirectWorker =
  | { type: 'loaded' }
  | { type: 'unloaded' }
  | { type: 'text'; text: string }
  | { type: 'finish'; promptTokens: number; completionTokens: number }
  | { type: 'failed'; message: string };
