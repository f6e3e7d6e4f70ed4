import type { ChunkSize } from '../../retrieval/divide-text.ts';
import type { ClientRights, Repeatable } from './job-parts.ts';

/** What a text is for: some models read queries differently from documents. */
export type TextRole = 'query' | 'document';

export interface EmbedRequest extends ClientRights, Repeatable {
  model: string;
  texts: string[];
  /** The place of each text in the client's request; undefined: these are all, in their order. */
  places?: number[];
  /** Numbers in a vector; undefined: as many as the model gives. */
  dimensions?: number;
  /** Undefined: the texts are read as they are. */
  role?: TextRole;
}

export interface DivideRequest extends ClientRights, Repeatable {
  model: string;
  text: string;
  /** Undefined: as suits the model. */
  size?: ChunkSize;
}

export interface RerankRequest extends ClientRights, Repeatable {
  model: string;
  query: string;
  documents: string[];
  /** The place of each document in the client's request, as in EmbedRequest. */
  places?: number[];
  /** Tokens that are read of a document; undefined: as many as the model can. */
  maxDocumentTokens?: number;
}
