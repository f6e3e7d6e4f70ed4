import { serverError } from '../../core/protocol/errors.ts';
import { totalBytes, type Installation } from '../../core/stores/variant.ts';
import type { FileKey } from '../../core/stores/database.ts';
import { missingFiles } from '../../core/stores/installation-progress.ts';
import type { WeightStore } from '../../core/stores/weight-store.ts';
import { FileHash } from './file-hash.ts';
import { transferFile, type SourceFile } from './file-transfer.ts';
import { Permits } from './permits.ts';
import type { Retry } from './retried.ts';

/** What a download reports: bytes of all files, those already stored included. */
export type OnBytes = (loadedBytes: number, totalBytes: number) => void;

/** What is stored may be deleted from under a download, by people and by browsers. */
const MAX_ROUNDS = 3;
/** Files that come at once: the line is busy while one of them is asked for. */
const LINES = 2;
/** Files that are under way, one of them being hashed and stored to the end. Each takes memory, see FileHash. */
const LANES = 3;

/**
 * Brings every file of an installation into the weight store. What is there already is not fetched
 * again, so an interrupted download goes on where it stopped. Takes up to 450 MB of memory: three
 * times the largest file that FileHash keeps and what the browser copies of it, and a few segments.
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
  const total = totalBytes(files);
  const line = new Permits(LINES);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const missing = await missingFiles(model, installation, store);
    if (missing.length === 0) return;
    const counts = new Map<SourceFile, number>();
    const before = total - totalBytes(missing);
    const count = (file: SourceFile, bytes: number) => {
      counts.set(file, bytes);
      onBytes(before + sum([...counts.values()]), total);
    };
    await inLanes(missing, signal, async (file, hash, either) => {
      const report = (bytes: number) => count(file, bytes);
      const key: FileKey = [model, revision, file.path];
      await transferFile({ file, key, store, hash, line, onBytes: report, retry }, either);
      report(file.size);
    });
  }
  if ((await missingFiles(model, installation, store)).length === 0) return;
  throw serverError('engine_error', `The browser does not keep the files of ${model}.`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Transfers all files, a few at once. When one fails the others stop, and it fails when they have. */
async function inLanes(
  files: readonly SourceFile[],
  signal: AbortSignal,
  transfer: (file: SourceFile, hash: FileHash, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const waiting = [...files];
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const lane = async () => {
    const hash = await FileHash.create();
    for (let file = waiting.shift(); file && !either.aborted; file = waiting.shift()) {
      await transfer(file, hash, either);
    }
  };
  const stopOthers = (error: unknown) => failing.abort(error);
  await Promise.all(Array.from({ length: LANES }, () => lane().catch(stopOthers)));
  signal.throwIfAborted();
  failing.signal.throwIfAborted();
}
