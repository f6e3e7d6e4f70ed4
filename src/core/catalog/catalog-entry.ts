import type { KvCacheType } from '../realms/kv-cache-type.ts';
import type { Calibration } from './calibration.ts';
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
  /** Tokens: for a speech model, what one call takes; for a ranker, query and document together. */
  contextLength: number;
  /** Context length that a page has asked for, tokens; undefined: what the site wants, or what suits the device. */
  wantedContext?: number;
  /** Type of the KV cache that a page has asked for; undefined: what the site wants. */
  wantedKvCacheType?: KvCacheType;
  /** Features, as in the manifest of a pack. Those of a hub model are known once it is installed. */
  features?: string[];
  /** The user added it: it stays in the catalog even if no list names it. */
  added?: boolean;
  /** At least one, the best first. `chooseVariant` decides which of them a device uses. */
  variants: Variant[];
  /**
   * The site's current entry for this name, if the installed files belong to another one, such as an older revision.
   * Until a variant of the update is complete, this entry describes the installed files.
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
  /** Languages that it understands: ISO 639-1 codes, or three letters where there is no such code, e.g. `haw`. */
  languages: string[];
  /** Whether it also translates into English. */
  translates: boolean;
  /** Whether it can report when each word was said. */
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
  /** How a chat model's decisions are calibrated; undefined: not measured, or no better than guessing. */
  calibration?: Calibration;
}

/** A model as the catalog knows it. */
export type CatalogEntry = SpeechModel | EmbeddingModel | TranscriptionModel | OtherModel;

/** Whether the model can be served now: it is in the weight store, or comes with the site. */
export function isServable(entry: CatalogEntry): boolean {
  return isInstalled(entry) || isEmbedded(entry);
}

/** Whether at least one variant is in the weight store. */
export function isInstalled({ variants }: CatalogEntry): boolean {
  return variants.some(({ installed }) => installed);
}

/** The feature of models that see. */
export const VISION = 'vision';

/** Whether the model can be shown images. An engine that finds this out at installation adds the feature. */
export function sees({ features = [] }: CatalogEntry): boolean {
  return features.includes(VISION);
}

/** Whether the model is a pack of this site: it is downloaded on first use. */
export function isEmbedded({ variants, added, update }: CatalogEntry): boolean {
  if (update) return true;
  return added !== true && variants.some(({ source }) => source.kind === 'pack');
}
