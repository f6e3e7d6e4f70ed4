import type { Speech } from './speech.ts';
import type { Variant } from './variant.ts';

/** What a model does, and so which endpoints it serves. */
export type Task = 'chat' | 'speech' | 'embedding' | 'rerank' | 'transcription';

interface ModelFacts {
  /** Public model id. */
  id: string;
  ownedBy: string;
  /** Unix seconds. */
  created: number;
  license?: string;
  /** Tokens; of a model that speaks, what one call takes; of a ranker, those of query and document. */
  contextLength: number;
  /** As in the manifest of a pack; of a hub model known once it is installed. */
  features?: string[];
  /** The user added it: it stays in the catalog even if no list names it. */
  added?: boolean;
  /** At least one, the best first. `chooseVariant` tells which of them a device uses. */
  variants: Variant[];
  /**
   * What the site offers by this name now, where the installed files are of something else, such as an older revision.
   * The entry says what those files are, until a variant of its update is whole.
   */
  update?: CatalogEntry;
}

/** The details of a model whose task is `embedding`. */
export interface Embedding {
  /** Numbers in a vector. */
  length: number;
  /** Shorter lengths that its vectors may be cut to, as the model was trained (Matryoshka). */
  dimensions?: number[];
}

/** The details of a model whose task is `transcription`. */
export interface Transcription {
  /** ISO 639-1 codes (some languages have only three letters, e.g. `haw`) of what it understands. */
  languages: string[];
  /** Whether it also translates into English. */
  translates: boolean;
  /** Whether it can tell when each word was said. */
  timesWords: boolean;
}

export interface SpeechModel extends ModelFacts {
  task: 'speech';
  speech: Speech;
}

export interface EmbeddingModel extends ModelFacts {
  task: 'embedding';
  embedding: Embedding;
}

export interface TranscriptionModel extends ModelFacts {
  task: 'transcription';
  transcription: Transcription;
}

export interface OtherModel extends ModelFacts {
  task: Exclude<Task, 'speech' | 'embedding' | 'transcription'>;
}

/** A model as the catalog knows it. */
export type CatalogEntry = SpeechModel | EmbeddingModel | TranscriptionModel | OtherModel;

/** The model can be served now: it is in the weight store, or comes with the site. */
export function isServable(entry: CatalogEntry): boolean {
  return isInstalled(entry) || isEmbedded(entry);
}

/** At least one variant is in the weight store. */
export function isInstalled({ variants }: CatalogEntry): boolean {
  return variants.some(({ installed }) => installed);
}

/** The feature of models that see. */
export const VISION = 'vision';

/** The model can be shown images. An engine that finds it out at the installation names it a feature. */
export function sees({ features = [] }: CatalogEntry): boolean {
  return features.includes(VISION);
}

/** A pack of this site: it is downloaded when it is first asked for. */
export function isEmbedded({ variants, added, update }: CatalogEntry): boolean {
  if (update) return true;
  return added !== true && variants.some(({ source }) => source.kind === 'pack');
}
