import { serverError } from '../core/errors.ts';
import type { Installation } from '../core/catalog-entry.ts';
import type { FileKey } from '../core/database.ts';
import { missingFiles, totalBytes } from '../core/installation-progress.ts';
import type { WeightStore } from '../core/weight-store.ts';
import { transferFile } from './file-transfer.ts';
import type { Retry } from './retried.ts';
import { createSha256 } from './sha256.ts';

/** What a download reports: bytes of all files, those already stored included. */
export type OnBytes = (loadedBytes: number, totalBytes: number) => void;

/** What is stored may be deleted from under a download, by people and by browsers. */
const MAX_ROUNDS = 3;

/**
 * Brings every file of an installation into the weight store. What is there already is not fetched
 * again, so an interrupted download goes on where it stopped.
 *
 * @throws ApiError 500 when a file is missing at its source, arrives broken, or finds no space
 */
export async function download(
  model: string,
  installation: Installation,
  store: WeightStore,
  onBytes: OnBytes,
  signal: AbortSignal,
  retry?: Retry,
): Promise<void> {
  const { revision, files } = installation;
  const hash = await createSha256();
  const total = totalBytes(files);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = await missingFiles(model, installation, store);
    if (missing.length === 0) return;
    let done = total - totalBytes(missing);
    for (const file of missing) {
      const key: FileKey = [model, revision, file.path];
      const report = (bytes: number) => onBytes(done + bytes, total);
      await transferFile({ file, key, store, hash, onBytes: report, retry }, signal);
      done += file.size;
      onBytes(done, total);
    }
  }
  if ((await missingFiles(model, installation, store)).length === 0) return;
  throw serverError('engine_error', `The browser does not keep the files of ${model}.`);
}
