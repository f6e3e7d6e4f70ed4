import { serverError } from '../../../core/errors/errors.ts';
import { totalBytes, type Installation } from '../../../core/catalog/variant.ts';
import type { FileKey } from '../../../core/database/database.ts';
import { missingFiles } from '../../../core/weights/installation-progress.ts';
import type { WeightStore } from '../../../core/weights/weight-store.ts';
import { FileHash } from './file-hash.ts';
import { transferFile, type SourceFile, type Transfer } from './file-transfer.ts';
import type { FetchFile } from '../installer/local-files.ts';
import { Permits } from './permits.ts';
import type { Receiver } from './receiver.ts';
import type { Retry } from './retried.ts';
import { Segment } from './segment.ts';

/** Reports the bytes of all files, those already stored included. */
export type OnBytes = (loadedBytes: number, totalBytes: number) => void;

export interface DownloadOptions {
  /** Default: `fetch`. */
  fetchFile?: FetchFile;
  /** Gets the files too, unless some are stored already. */
  receiver?: Receiver | undefined;
  retry?: Retry | undefined;
  /** The missing files, if the caller already knows them. */
  missing?: Installation['files'] | undefined;
  /** SHA-256 → a stored file of another revision with the same bytes. */
  alike?: ReadonlyMap<string, FileKey> | undefined;
}

/** Most rounds of a download: users and browsers may delete stored files meanwhile, so each round checks again. */
const MAX_ROUNDS = 3;
/** Concurrent transfers: while one waits for its response, the other uses the network. */
const LINES = 2;
/** Files in progress: one more than `LINES`, which is hashed and stored meanwhile. Each takes memory, see FileHash. */
const LANES = 3;

/**
 * Downloads every file of an installation into the weight store. Stored files and parts of files are not
 * downloaded again, so that an interrupted download continues; a file in `alike` is copied. Takes up to 450 MB of
 * memory: each of the three lanes holds the largest file that FileHash keeps, the browser's copy, and a few segments.
 *
 * @throws ApiError 500 if a file is missing at its source, arrives damaged, or does not fit in storage
 */
export async function download(
  model: string,
  installation: Installation,
  store: WeightStore,
  onBytes: OnBytes,
  signal: AbortSignal,
  { fetchFile = fetch, receiver, retry, alike, missing: known }: DownloadOptions = {},
): Promise<void> {
  const { revision, files } = installation;
  const total = totalBytes(files);
  const line = new Permits(LINES);
  const likeOf = ({ sha256 = '' }: SourceFile) => alike?.get(sha256);
  let missing = known ?? (await missingFiles(model, installation, store));
  for (let round = 0; missing.length > 0; round++) {
    if (round === MAX_ROUNDS) {
      throw serverError('engine_error', `This browser keeps deleting the files of ${model}.`);
    }
    if (missing.length < files.length || missing.some(likeOf) || round > 0) receiver?.giveUp();
    const counts = new Map<SourceFile, number>();
    const before = total - totalBytes(missing);
    const count = (file: SourceFile, bytes: number) => {
      counts.set(file, bytes);
      onBytes(before + sum([...counts.values()]), total);
    };
    await inLanes(missing, signal, async (file, memory, either) => {
      const report = (bytes: number) => count(file, bytes);
      const key: FileKey = [model, revision, file.path];
      const like = likeOf(file);
      if (like && (await store.copy(like, key))) return report(file.size);
      const parts = { file, key, store, ...memory, line, fetchFile, receiver, retry };
      await transferFile({ ...parts, onBytes: report }, either);
      report(file.size);
    });
    missing = await missingFiles(model, installation, store);
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Memory that the transfers of a lane reuse. */
type LaneMemory = Pick<Transfer, 'hash' | 'segment'>;

/** Transfers all files, a few at once. If one fails, the others are stopped before the error is thrown. */
async function inLanes(
  files: readonly SourceFile[],
  signal: AbortSignal,
  transfer: (file: SourceFile, memory: LaneMemory, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const waiting = [...files];
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  const lane = async () => {
    const memory = { hash: new FileHash(), segment: new Segment() };
    for (let file = waiting.shift(); file && !either.aborted; file = waiting.shift()) {
      await transfer(file, memory, either);
    }
  };
  const stopOthers = (error: unknown) => failing.abort(error);
  await Promise.all(Array.from({ length: LANES }, () => lane().catch(stopOthers)));
  signal.throwIfAborted();
  failing.signal.throwIfAborted();
}
