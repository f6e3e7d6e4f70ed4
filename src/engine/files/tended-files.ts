import { everyHour } from '../../core/async/every-hour.ts';
import { filesDatabase, hasStoredFiles } from './files-database.ts';
import { StoredFiles, type StoredFilesParts } from './stored-files.ts';

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
  everyHour(async () => {
    if (!(await hasStoredFiles(scope))) return;
    stored.indexer.wake();
    await stored.sweep(new Set(await keys()));
  }, warn);
  return stored;
}
