import type { Task } from '../catalog/catalog-model.ts';

/** What a model on the hub may do to be found: its speech models cannot be added. */
export type FindableTask = Exclude<Task, 'speech'>;

/** A model on the hub, as its search shows it. `models.add` takes the id. */
export interface FoundModel {
  /** `owner/name`. */
  id: string;
  task: FindableTask;
  /** Kinds of files that it has: `gguf` for llama.cpp, `mlc` for WebLLM, `onnx` for ONNX Runtime. */
  formats: ('gguf' | 'mlc' | 'onnx')[];
  /** In the last month. */
  downloads: number;
  likes: number;
  /** As its authors name it, e.g. `apache-2.0`; undefined: they do not. */
  license?: string;
  /** Its files are only for people who have agreed to something there: they cannot be downloaded here. */
  gated: boolean;
}
