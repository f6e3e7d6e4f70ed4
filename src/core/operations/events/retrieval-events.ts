import type { ChunkSize } from '../../retrieval/divide-text.ts';

/** The texts of a job are divided into tokens. A model's worker tells the engine alone. */
interface EncodedEvent {
  type: 'encoded';
}

/** What an embedding reports: vectors in any order, and `embedded` at its end. */
export type EmbedEvent =
  | EncodedEvent
  | {
      type: 'vectors';
      /** Places of these texts in the request. */
      places: number[];
      /** The vectors one after the other, all with as many numbers, and each normalised to the length 1. */
      values: Float32Array<ArrayBuffer>;
      /** Tokens of these texts, special ones included. */
      tokens: number;
    }
  | { type: 'embedded' };

/** A chunk of a text. */
export interface DividedChunk {
  text: string;
  /** What the embedder reads of it, each at once: several pieces if the chunk is too long for it. */
  pieces: string[];
}

/** The chunks of a text. */
export interface DividedEvent {
  type: 'divide';
  chunks: DividedChunk[];
  /** How long they may be. */
  size: ChunkSize;
}

/** What a reranking reports: scores in any order, and `ranked` at its end. */
export type RerankEvent =
  | EncodedEvent
  | {
      type: 'scores';
      /** Places of these documents in the request. */
      places: number[];
      /** 0 to 1; higher fits better. */
      scores: number[];
      /** Tokens of these documents and, with each, of the query. */
      tokens: number;
    }
  | { type: 'ranked' };
