import { openDB, unwrap, type DBSchema, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { createStores } from './connection.ts';
import type { Endpoint } from '../keys/endpoints.ts';
import type { ModelRoute } from '../realms/routes.ts';
import type { Upstream } from '../realms/upstreams.ts';
import type { Device } from '../fit/device-fit.ts';
import type { LoadRecord } from '../fit/load-record.ts';
import { engineConnection } from './engine-connection.ts';
import type { DownloadPlan } from '../catalog/variant.ts';

/** What a key may do with stored files. */
export interface FileRights {
  /** `site`: the files are those of all pages of the site. Undefined: they are the key's own, and end with it. */
  owner?: 'site';
  /** Most bytes of all files of the site together, if the browser does not allow less. Default: 2 GiB. */
  maxBytes?: number;
  /** Ids of the models that vector stores use if a request names none; undefined: any that is installed. */
  embedder?: string;
  reranker?: string;
}

/** What a key may keep of its prompts on disk. */
export interface PromptCacheRights {
  /** `site`: the kept prompts are those of all pages of the site. Undefined: they are the key's own, and end with it. */
  owner?: 'site';
  /** Most bytes of all kept prompts of the site together. Default: 1 GiB. */
  maxBytes?: number;
}

/** The stored facts about an API key. The key itself is never stored. */
export interface StoredKey {
  /** Hex SHA-256 of the key. */
  id: string;
  label: string;
  /** Secret that the key signs URLs with, hex; missing in keys that are older than signed URLs. */
  urlSecret?: string;
  /** Unix milliseconds. */
  createdAt: number;
  /** Ids of the only models it may use. */
  models?: string[];
  /** The only endpoints it may use. */
  endpoints?: Endpoint[];
  /** Most tokens that it may read and write in a day of UTC. */
  tokensPerDay?: number;
  /** Tokens that it has used on a day of UTC, which is counted from 1970. */
  used?: { day: number; tokens: number };
  /** Unix milliseconds. */
  expiresAt?: number;
  /** When the last request with this key arrived, Unix milliseconds, to the minute. */
  lastUsedAt?: number;
  /** Whether its requests download a model that is known but not installed, and wait for it. */
  autoInstall?: boolean;
  /** Whether it may load, unload, install and remove models. Session keys may unless this is false. */
  manageModels?: boolean;
  /** For a session key: the key ends when no page holds this Web Lock, which pages may share. */
  sessionLock?: string;
  /** Servers that its requests may be forwarded to; undefined: nothing leaves this device. */
  upstreams?: Upstream[];
  /** Id of the model that writes down the recordings in chats; undefined: they are refused. */
  hear?: string;
  /** What its requests may do with stored files; undefined: nothing. */
  files?: FileRights;
  /** What its requests may keep of their prompts on disk; undefined: nothing. */
  promptCache?: PromptCacheRights;
  /** URLs of the MCP servers that its requests may name; undefined: none. */
  mcp?: string[];
  /** Routes: names that its requests may give in place of a model's id. */
  routes?: ModelRoute[];
}

/** A complete file of a model. */
export interface StoredFile {
  blob: Blob;
  /** Hex SHA-256, computed when the file was stored. */
  sha256: string;
}

/** A complete file that stays in the segments of its download, so that nothing is written twice. */
export interface SegmentedFile {
  /** Bytes of all its segments. */
  size: number;
  /** Hex SHA-256, as in StoredFile. */
  sha256: string;
}

/** A file of the visitor that is read where it lies. Nothing of it is stored here. */
export interface LinkedFile {
  handle: FileSystemFileHandle;
  /** Bytes, when it was linked. */
  size: number;
  /** Date of its last change when it was linked, Unix milliseconds. */
  lastModified: number;
  /** Hex SHA-256 of samples of it. */
  samples: string;
  /** Hex SHA-256 of all of it; undefined until that has been computed. */
  sha256?: string;
}

/** A piece of a file, as the network delivered it. */
export interface StoredSegment {
  blob: Blob;
  /** The server's name for this version of the file, if it has one: an ETag or a modification date. */
  validator?: string;
}

/**
 * Bytes in the database. A Blob stays on disk until it is read. In private windows of WebKit, which refuse
 * to store Blobs, they are an ArrayBuffer.
 */
export type StoredBytes = Blob | ArrayBuffer;
/** A value with a Blob, in the form in which the database holds it. */
export type InDatabase<T extends { blob: Blob }> = Omit<T, 'blob'> & { blob: StoredBytes };

/** [model id, revision, path] */
export type FileKey = [model: string, revision: string, path: string];
/** A file's key and the offset in it, bytes. */
export type SegmentKey = [...FileKey, offset: number];

interface Schema extends DBSchema {
  keys: { key: string; value: StoredKey };
  /** CatalogEntry, to be read with `readEntry`: builds of other versions write here, too. */
  models: { key: string; value: { id: string } };
  /** Model id → a download that has begun and is not done. */
  plans: { key: string; value: DownloadPlan };
  /** Complete and verified files. */
  files: { key: FileKey; value: InDatabase<StoredFile> | SegmentedFile | LinkedFile };
  segments: { key: SegmentKey; value: InDatabase<StoredSegment> };
  /** Model id → when it was last used, Unix milliseconds. */
  uses: { key: string; value: number };
  /** What the latest engine found out about this device, at the key `here`. */
  device: { key: 'here'; value: Device };
  /** GPU, browser and build → the types of weights, as ggml numbers them, with which the GPU computes right products. */
  checks: { key: string; value: number[] };
  /** [model id, variant id] → what went wrong with the variant. */
  loads: { key: [string, string]; value: LoadRecord };
}

export type Database = IDBPDatabase<Schema>;
/** A transaction that changes the files in the weight store. */
export type WeightTransaction = IDBPTransaction<Schema, ('files' | 'segments')[], 'readwrite'>;

/** Gives engines access to the database. @param scope, onLost - as in `databaseConnection` */
export function databaseOpener(
  scope: string,
  onLost?: () => Promise<unknown>,
): () => Promise<Database> {
  return engineConnection(scope, openWithIdb, onLost);
}

function openWithIdb(name: string, version?: number): Promise<Database> {
  return openDB<Schema>(name, version, { upgrade: (db) => createStores(unwrap(db)) });
}
