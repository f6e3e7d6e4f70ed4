import type { Task } from '../../catalog/catalog-model.ts';

/** Tasks of models that a search of the hub can find: its speech models cannot be added. */
export type FindableTask = Exclude<Task, 'speech'>;

/** A model on the hub, as its search shows it. `models.add` takes the id. */
export interface FoundModel {
  /** `owner/name`. */
  id: string;
  task: FindableTask;
  /** Kinds of files that it has: `gguf` for llama.cpp, `mlc` for WebLLM, `onnx` for ONNX Runtime. */
  formats: ('gguf' | 'mlc' | 'onnx')[];
  /** Downloads in the last month. */
  downloads: number;
  likes: number;
  /** License as the authors name it, e.g. `apache-2.0`; undefined: they name none. */
  license?: string;
  /** Whether its files are only for people who agreed to terms on the hub: they cannot be downloaded here. */
  gated: boolean;
}
