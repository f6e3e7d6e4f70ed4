import type { CatalogEntry } from '../../../core/catalog/catalog-entry.ts';
import { invalidRequest } from '../../../core/errors/errors.ts';
import type { GivenFile } from '../../../core/operations/jobs/managing-jobs.ts';
import { messageOf } from '../../../core/text/message-of.ts';
import { linkOf } from '../../../core/weights/linked-file.ts';
import type { WeightStore } from '../../../core/weights/weight-store.ts';

/** A file that the visitor picked. */
interface OpenedFile {
  file: File;
  /** Where it lies; undefined: it is copied. */
  handle?: FileSystemFileHandle;
}

/** @throws ApiError 400 if the file of a handle cannot be read */
export async function openGiven(given: GivenFile): Promise<OpenedFile> {
  if (!('getFile' in given)) return { file: given };
  try {
    return { file: await given.getFile(), handle: given };
  } catch (error) {
    throw invalidRequest(`${given.name} cannot be read: ${messageOf(error)}`, 'model');
  }
}

/** Records where the files with handles lie. Those that cannot be recorded are copied like the others. */
export async function linkGiven(
  { id, variants }: CatalogEntry,
  files: readonly OpenedFile[],
  weights: WeightStore,
): Promise<void> {
  const source = variants.map((variant) => variant.source).find(({ kind }) => kind === 'local');
  if (source?.kind !== 'local') return;
  for (const { file, handle } of files) {
    if (!handle || !source.files.some(({ path }) => path === file.name)) continue;
    const link = await linkOf(handle, file);
    try {
      await weights.link([id, source.revision, file.name], link);
    } catch (error) {
      // Private windows may refuse to store handles.
      if (!(error instanceof DOMException && error.name === 'DataCloneError')) throw error;
    }
  }
}
