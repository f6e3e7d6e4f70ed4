/** A model as the other side of a comparison loads it. */
export type DirectModel = WebLlmModel | GgufModel;

/** A model as WebLLM's configuration describes it. */
export interface WebLlmModel {
  engine: 'webllm';
  /** Absolute URL of the folder of its files; ends in `/resolve/main/`. */
  url: string;
  /** Absolute URL of the model library. */
  modelLibrary: string;
  stopTokenIds: number[];
}

/** A GGUF file that our binding of llama.cpp runs without the engine around it, or that wllama runs. */
export interface GgufModel {
  engine: 'llamacpp' | 'wllama';
  /** Absolute URL of the file. */
  url: string;
  /** Absolute URL of the WebAssembly that runs it. */
  wasm: string;
  /** Tokens. */
  contextLength: number;
  /** Whether the GPU computes; only wllama can. */
  onGpu: boolean;
  /** How many threads compute. Our binding has a single one here. */
  threads: number;
}

/** Page → worker that runs a model. */
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
