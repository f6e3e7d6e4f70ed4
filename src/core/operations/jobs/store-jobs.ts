import type { Attributes, Filter } from '../../retrieval/filters.ts';
import type { ChunkSize } from '../../retrieval/divide-text.ts';
import type { ListPart } from './list-part.ts';

/** How far a file of a vector store is. */
export type MemberStatus = 'in_progress' | 'completed' | 'failed' | 'cancelled';

export const MEMBER_STATUSES: readonly MemberStatus[] = [
  'in_progress',
  'completed',
  'failed',
  'cancelled',
];

export type StatusCounts = Record<MemberStatus, number>;

/** Facts about a vector store. Times are Unix milliseconds. */
export interface StoreFacts {
  id: string;
  name: string | null;
  description: string | null;
  metadata: Record<string, unknown>;
  createdAt: number;
  /** The time of the last search, or of the last change of its files. */
  lastActiveAt: number;
  /** Days after its last activity; undefined: it never expires. */
  expiresAfter?: number;
  /** Id of the model that computes its vectors; null: it is searched by words only. */
  embedder: string | null;
  /** Bytes of its chunks and their index. */
  bytes: number;
  counts: StatusCounts;
}

const DAY_MS = 86_400_000;

/** When a store expires unless it is used before, Unix milliseconds; undefined: never. */
export function expiryOf({
  expiresAfter,
  lastActiveAt,
}: Pick<StoreFacts, 'expiresAfter' | 'lastActiveAt'>): number | undefined {
  return expiresAfter === undefined ? undefined : lastActiveAt + expiresAfter * DAY_MS;
}

export type NewStore = Pick<StoreFacts, 'id' | 'name' | 'description' | 'metadata' | 'embedder'> & {
  expiresAfter?: number;
};

/** A file that is to be in a vector store. */
export interface NewMember {
  file: string;
  attributes: Attributes;
  /** Undefined: as suits the store's embedder. */
  chunks?: ChunkSize;
}

/** Facts about a file in a vector store. */
export interface MemberFacts extends NewMember {
  store: string;
  /** Unix milliseconds. */
  createdAt: number;
  status: MemberStatus;
  /** Why it has failed. */
  error?: { code: 'unsupported_file' | 'invalid_file' | 'server_error'; message: string };
  /** The size of its chunks, when they are made. */
  made?: ChunkSize;
  bytes: number;
}

/** Files that were added together. */
export interface BatchFacts {
  id: string;
  store: string;
  createdAt: number;
  counts: StatusCounts;
}

/** Fields of a store that can be changed; absent: it stays. */
export interface StoreChange {
  name?: string | null;
  metadata?: Record<string, unknown>;
  /** Null: it never expires. */
  expiresAfter?: number | null;
}

export type StoreAction =
  | { do: 'add'; store: NewStore; files: NewMember[] }
  | { do: 'list'; part: ListPart }
  | { do: 'get' | 'delete'; id: string }
  | { do: 'change'; id: string; change: StoreChange };

export interface StoresRequest {
  owner: string;
  maxBytes?: number;
  action: StoreAction;
}

export interface StoresEvent {
  type: 'stores';
  stores: StoreFacts[];
  hasMore: boolean;
}

export type MemberAction =
  | { do: 'add'; files: NewMember[]; batch?: string }
  | { do: 'list'; part: ListPart; status?: MemberStatus; batch?: string }
  | { do: 'get' | 'read' | 'remove'; file: string }
  | { do: 'change'; file: string; attributes: Attributes }
  | { do: 'get-batch' | 'cancel-batch'; batch: string };

export interface MembersRequest {
  owner: string;
  maxBytes?: number;
  store: string;
  action: MemberAction;
}

export interface MembersEvent {
  type: 'members';
  files: MemberFacts[];
  hasMore: boolean;
  batch?: BatchFacts;
  /** The chunks of the file, if they were asked for. */
  texts?: string[];
}

/** How results are ranked. */
export interface Ranking {
  /** Whether an installed reranker decides. */
  reranks: boolean;
  /** Id of the reranker; undefined: any that is installed. */
  reranker?: string;
  /** Results with a lower score are left out. */
  threshold: number;
  vectorWeight: number;
  wordWeight: number;
}

export interface FindRequest {
  owner: string;
  /** Ids of the key's client and stores. */
  client?: string;
  stores: string[];
  queries: string[];
  filter?: Filter;
  /** Most results. */
  most: number;
  ranking: Ranking;
}

export interface FoundChunk {
  file: string;
  filename: string;
  /** 0 to 1. */
  score: number;
  attributes: Attributes;
  text: string;
}

export interface ChunksEvent {
  type: 'find-chunks';
  chunks: FoundChunk[];
  /** Tokens that models have read for it. */
  tokens: number;
}
