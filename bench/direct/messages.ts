/** A model as WebLLM's configuration describes it. */
export interface DirectModel {
  /** Absolute URL of the folder of its files; ends in `/resolve/main/`. */
  url: string;
  /** Absolute URL of the model library. */
  modelLibrary: string;
  stopTokenIds: number[];
}

/** Page → worker that runs WebLLM. */
export type ToDirectWorker =
  | { type: 'load'; model: DirectModel }
  | { type: 'unload' }
  /** Takes the rendered prompt; decoding is greedy. */
  | { type: 'generate'; prompt: string; maxTokens: number };

/** Worker → page. There is one request at a time. */
export type FromDirectWorker =
  | { type: 'loaded' }
  | { type: 'unloaded' }
  | { type: 'text'; text: string }
  | { type: 'finish'; promptTokens: number; completionTokens: number }
  | { type: 'failed'; message: string };
