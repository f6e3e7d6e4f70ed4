import { serverError } from '../core/errors.ts';
import type { Installation, PackFile } from '../core/catalog-entry.ts';
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
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = await missingFiles(model, installation, store);
    if (missing.length === 0) return;
    const total = sum(files);
    let done = total - sum(missing);
    await checkSpace(await remainingBytes(model, installation, store));
    for (const file of missing) {
      const key = [model, revision, file.path] satisfies [string, string, string];
      const report = (bytes: number) => onBytes(done + bytes, total);
      await transferFile({ file, key, store, hash, onBytes: report, retry }, signal);
      done += file.size;
      onBytes(done, total);
    }
  }
  if ((await missingFiles(model, installation, store)).length === 0) return;
  throw serverError('engine_error', `The browser does not keep the files of ${model}.`);
}

/** What of an installation is not in the store yet. */
export async function missingFiles(
  model: string,
  { revision, files }: Installation,
  store: WeightStore,
): Promise<Installation['files']> {
  const stored = await store.paths(model, revision);
  return files.filter(({ path }) => !stored.has(path));
}

/** How much is still to come, bytes, less what has come of unfinished files. */
export async function remainingBytes(
  model: string,
  installation: Installation,
  store: WeightStore,
): Promise<number> {
  const missing = await missingFiles(model, installation, store);
  const received = await Promise.all(
    missing.map(({ path }) => store.received([model, installation.revision, path])),
  );
  return Math.max(0, sum(missing) - received.reduce((bytes, of) => bytes + of, 0));
}

function sum(files: PackFile[]): number {
  return files.reduce((bytes, file) => bytes + file.size, 0);
}

/** Better no download at all than one that cannot end. */
async function checkSpace(needed: number): Promise<void> {
  const { quota, usage } = await navigator.storage.estimate();
  if (quota === undefined || usage === undefined || quota - usage >= needed) return;
  throw serverError(
    'storage_full',
    `The model needs ${megabytes(needed)} of storage, but this browser gives only ` +
      `${megabytes(quota - usage)} more. Remove a model or free disk space.`,
  );
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
