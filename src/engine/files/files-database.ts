import { openDB, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import type { StoredBytes } from '../../core/database/database.ts';
import { engineConnection, hasDatabase } from '../../core/database/engine-connection.ts';
import type { FileFacts } from '../../core/operations/jobs/file-jobs.ts';
import type {
  BatchFacts,
  MemberFacts,
  MemberStatus,
  StoreFacts,
} from '../../core/operations/jobs/store-jobs.ts';
import type { Postings } from '../../core/retrieval/postings.ts';

export interface StoredFileFacts extends FileFacts {
  owner: string;
}

/** How much an owner has stored. Counted as files come and go, so that nothing has to be added up. */
export interface Usage {
  files: number;
  bytes: number;
}

export interface StoredStore extends Omit<StoreFacts, 'counts'> {
  owner: string;
  /** How many chunks it has. */
  chunks: number;
  /** Changes whenever its files or their attributes do, so that searches read a store again only then. */
  revision: number;
}

export interface StoredMember extends MemberFacts {
  owner: string;
  /** Id of the batch that it was added with. */
  batch?: string;
  chunkCount: number;
  /** Most bytes that all owners together may store when it is indexed, if the device does not allow less. */
  maxBytes?: number;
}

/** What searches read of a file in a vector store. */
export interface Segment extends Postings {
  /** 16-bit floats, one vector after the other; empty if the store has no embedder. */
  vectors: Uint16Array<ArrayBuffer>;
  /** The index of the chunk of each vector. */
  chunkOf: Uint32Array<ArrayBuffer>;
}

export type MemberKey = [store: string, file: string];

interface Schema extends DBSchema {
  files: {
    key: string;
    value: StoredFileFacts;
    indexes: { owner: [owner: string, createdAt: number] };
  };
  /** The files' bytes by id: lists of files do not read them. */
  contents: { key: string; value: StoredBytes };
  /** By owner. */
  usage: { key: string; value: Usage };
  stores: {
    key: string;
    value: StoredStore;
    indexes: { owner: [owner: string, createdAt: number] };
  };
  members: {
    key: MemberKey;
    value: StoredMember;
    indexes: {
      store: [store: string, createdAt: number];
      file: string;
      status: MemberStatus;
      count: [store: string, status: MemberStatus];
      batch: [batch: string, status: MemberStatus];
    };
  };
  batches: { key: string; value: Omit<BatchFacts, 'counts'>; indexes: { store: string } };
  /** The chunks of a file, in order. */
  chunks: { key: MemberKey; value: string[] };
  segments: { key: MemberKey; value: Segment };
}

export type FilesDatabase = IDBPDatabase<Schema>;
export type StoreName =
  'files' | 'contents' | 'usage' | 'stores' | 'members' | 'batches' | 'chunks' | 'segments';
/** A transaction that may change everything. */
export type FilesTransaction = IDBPTransaction<Schema, StoreName[], 'readwrite'>;

export const ALL: StoreName[] = [
  'files',
  'contents',
  'usage',
  'stores',
  'members',
  'batches',
  'chunks',
  'segments',
];

/**
 * Gives access to the database of stored files. It is separate from the one that pages and service workers open, whose
 * code every visitor downloads.
 *
 * @param scope - as in `databaseConnection`
 */
export function filesDatabase(scope: string): () => Promise<FilesDatabase> {
  return engineConnection(nameOf(scope), openWithIdb);
}

/** Whether files were ever stored here. @param scope - as in `filesDatabase` */
export function hasStoredFiles(scope: string): Promise<boolean> {
  return hasDatabase(nameOf(scope));
}

function nameOf(scope: string): string {
  return `files:${scope}`;
}

function openWithIdb(name: string, version?: number): Promise<FilesDatabase> {
  return openDB<Schema>(name, version, {
    upgrade(db) {
      db.createObjectStore('files', { keyPath: 'id' }).createIndex('owner', ['owner', 'createdAt']);
      db.createObjectStore('contents');
      db.createObjectStore('usage');
      const stores = db.createObjectStore('stores', { keyPath: 'id' });
      stores.createIndex('owner', ['owner', 'createdAt']);
      const members = db.createObjectStore('members', { keyPath: ['store', 'file'] });
      members.createIndex('store', ['store', 'createdAt']);
      members.createIndex('file', 'file');
      members.createIndex('status', 'status');
      members.createIndex('count', ['store', 'status']);
      members.createIndex('batch', ['batch', 'status']);
      db.createObjectStore('batches', { keyPath: 'id' }).createIndex('store', 'store');
      db.createObjectStore('chunks');
      db.createObjectStore('segments');
    },
  });
}

/** All keys that begin with this one. In IndexedDB's order an array comes after every string and number. */
export function beginning(key: string): IDBKeyRange {
  return IDBKeyRange.bound([key], [key, []]);
}
