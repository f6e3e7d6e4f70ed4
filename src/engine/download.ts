import { serverError } from '../core/errors.ts';
import type { Installation, PackFile } from '../core/catalog-entry.ts';
import { blobSha256, type WeightStore } from '../core/weight-store.ts';

/** What a download reports: bytes of all files, those already stored included. */
export type OnBytes = (loadedBytes: number, totalBytes: number) => void;

type SourceFile = Installation['files'][number];

/**
 * Brings every file of an installation into the weight store. Files that are there already are not
 * fetched again, so an interrupted download goes on where it stopped, file by file.
 *
 * @throws ApiError 500 when a file is missing at its source, arrives broken, or finds no space
 */
export async function download(
  model: string,
  { revision, files }: Installation,
  store: WeightStore,
  onBytes: OnBytes,
  signal: AbortSignal,
): Promise<void> {
  const stored = await store.paths(model, revision);
  const missing = files.filter((file) => !stored.has(file.path));
  if (missing.length === 0) return;
  const total = sum(files);
  let done = total - sum(missing);
  await checkSpace(total - done);
  for (const file of missing) {
    const blob = await fetchFile(file, signal, (bytes) => onBytes(done + bytes, total));
    const sha256 = await verified(file, blob);
    await store.put(model, revision, file.path, { blob, sha256 });
    done += file.size;
    onBytes(done, total);
  }
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

async function fetchFile(
  file: SourceFile,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  try {
    const response = await fetch(file.url, { signal });
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    return await readBlob(response.body, onBytes);
  } catch (error) {
    signal.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    throw serverError('engine_error', `Could not download ${file.url}: ${why}`);
  }
}

async function readBlob(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  // Not `for await`: Safari's streams are no async iterables.
  const reader = body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    chunks.push(read.value);
    bytes += read.value.byteLength;
    onBytes(bytes);
  }
  return new Blob(chunks);
}

async function verified(file: SourceFile, blob: Blob): Promise<string> {
  const sha256 = await blobSha256(blob);
  const isWhole = blob.size === file.size || file.size === 0;
  if (isWhole && (file.sha256 === undefined || file.sha256 === sha256)) return sha256;
  throw serverError(
    'engine_error',
    `${file.url} is not the file it should be: ${blob.size} of ${file.size} bytes, ` +
      `SHA-256 ${sha256}, expected ${file.sha256 ?? 'any'}.`,
  );
}
