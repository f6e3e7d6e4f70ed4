import { totalBytes, type Installation } from '../catalog/variant.ts';
import type { WeightReader } from './weight-reader.ts';

type Files = Installation['files'];

/** The files of an installation that are not in the store yet. */
export async function missingFiles(
  model: string,
  { revision, files }: Installation,
  store: WeightReader,
): Promise<Files> {
  const stored = await store.paths(model, revision);
  return files.filter(({ path }) => !stored.has(path));
}

/** How much of an installation is in the store, bytes, the received parts of unfinished files included. */
export async function storedBytes(
  model: string,
  installation: Installation,
  store: WeightReader,
): Promise<number> {
  const missing = await missingFiles(model, installation, store);
  const received = await Promise.all(
    missing.map(({ path }) => store.received([model, installation.revision, path])),
  );
  const whole = totalBytes(installation.files) - totalBytes(missing);
  return whole + received.reduce((sum, bytes) => sum + bytes, 0);
}
