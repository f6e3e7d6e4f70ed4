import data from './curated.json' with { type: 'json' };

/** Fields of a request that say how a model samples. */
export type Sampling = Partial<
  Record<'temperature' | 'top_p' | 'top_k' | 'repetition_penalty' | 'frequency_penalty', number>
>;

/** A model of the hub that is worth its download. */
export interface CuratedModel {
  /** The repository on the hub. */
  id: string;
  /** The GGUF file in the repository; undefined: a model for WebLLM, which the catalog lists. */
  file?: string;
  name: string;
  engine: 'llamacpp' | 'webllm';
  /** Billions. */
  parameters: number;
  /** Download size. */
  bytes: number;
  license: string;
  /** What the model is good for: long thinking, everyday writing, or answering fast. */
  use: 'reason' | 'write' | 'quick';
  /** What the makers recommend. */
  sampling: Sampling;
}

/** The best first. */
export const CURATED: readonly CuratedModel[] = data.models.map((model) => ({
  ...model,
  engine: model.engine === 'webllm' ? 'webllm' : 'llamacpp',
  use: model.use === 'reason' || model.use === 'write' ? model.use : 'quick',
}));

/**
 * The starter model is not sampled as its makers recommend (0.2): in 4 bits it then gave 2 of 5 wrong answers to the
 * capital of France, and its likeliest answer is right.
 */
const SAMPLINGS: ReadonlyMap<string, Sampling> = new Map(
  [data.starter, ...data.models].map(({ id, sampling }) => [id, sampling]),
);

/**
 * How the list says that a model samples; empty: the list does not know it, and the API uses what its files say.
 *
 * @param id - an id of the catalog, which may end with a file's path
 */
export function samplingOf(id: string): Sampling {
  return SAMPLINGS.get(repositoryOf(id)) ?? {};
}

/** The repository of a catalog's id: `owner/name` of `owner/name:file.gguf`. */
export function repositoryOf(id: string): string {
  return id.split(':')[0] ?? id;
}
