import { filesDatabase, hasStoredFiles } from './files-database.ts';
import { StoredFiles, type StoredFilesParts } from './stored-files.ts';

/** How often stored files that have expired are deleted, milliseconds. */
const SWEEP_MS = 3_600_000;

interface TendedFilesParts extends Omit<StoredFilesParts, 'open' | 'lock'> {
  /** Path of the site's folder. */
  scope: string;
  /** Ids of all keys. */
  keys: () => Promise<string[]>;
  /** Told of failures after which the files still serve. */
  warn: (error: unknown) => void;
}

/** The site's stored files. An index that was begun goes on at once; what has expired is deleted now and then. */
export function tendedFiles({ scope, keys, warn, ...parts }: TendedFilesParts): StoredFiles {
  const lock = `slashv1:index:${scope}`;
  const stored = new StoredFiles({ ...parts, open: filesDatabase(scope), lock });
  // Most sites store no files: there is nothing to do for them.
  const tend = async () => {
    if (!(await hasStoredFiles(scope))) return;
    stored.indexer.wake();
    await stored.sweep(new Set(await keys()));
  };
  tend().catch(warn);
  setInterval(() => void tend().catch(warn), SWEEP_MS);
  return stored;
}
