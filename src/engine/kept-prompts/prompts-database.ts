import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { engineConnection, hasDatabase } from '../../core/database/engine-connection.ts';

/** The model and the engine that have computed a state: no other can read it. */
export interface StateOf {
  model: string;
  /** Variant and revision of the model: it changes with any byte of its files. */
  version: string;
  /** The engine's build. */
  build: string;
}

/** What is known of a kept prompt. Its state is in a file. */
export interface KeptPrompt extends StateOf {
  /** Name of the file. */
  id: string;
  /** `site` for all pages of the site; else the id of an API key. */
  owner: string;
  /** How many tokens the prompt has. */
  tokens: number;
  /** Hex SHA-256 of these tokens. */
  prefix: string;
  bytes: number;
  /** Hex SHA-256 of each piece of the file. */
  pieces: string[];
  /** Unix milliseconds. */
  usedAt: number;
  /** Unix milliseconds. */
  expiresAt: number;
}

interface Schema extends DBSchema {
  prompts: { key: string; value: KeptPrompt; indexes: { model: string } };
}

export type PromptsDatabase = IDBPDatabase<Schema>;

/** Gives access to the list of kept prompts. @param scope - as in `databaseConnection` */
export function promptsDatabase(scope: string): () => Promise<PromptsDatabase> {
  return engineConnection(nameOf(scope), openWithIdb);
}

/** Whether prompts were ever kept here. @param scope - as in `promptsDatabase` */
export function hasKeptPrompts(scope: string): Promise<boolean> {
  return hasDatabase(nameOf(scope));
}

function nameOf(scope: string): string {
  return `prompts:${scope}`;
}

function openWithIdb(name: string, version?: number): Promise<PromptsDatabase> {
  return openDB<Schema>(name, version, {
    upgrade(db) {
      db.createObjectStore('prompts', { keyPath: 'id' }).createIndex('model', 'model');
    },
  });
}
