import { totalBytes, type Installation } from '../catalog/variant.ts';
import type { WeightReader } from './weight-reader.ts';

/** How much of an installation is in the store. */
export interface InstallationProgress {
  /** The files that are missing or incomplete. */
  missing: Installation['files'];
  /** Bytes that are still to be downloaded. */
  missingBytes: number;
}

/** The files of an installation that are not in the store yet. */
export async function missingFiles(
  model: string,
  { revision, files }: Installation,
  store: WeightReader,
): Promise<Installation['files']> {
  const stored = await store.paths(model, revision);
  return files.filter(({ path }) => !stored.has(path));
}

export async function installationProgress(
  model: string,
  installation: Installation,
  store: WeightReader,
): Promise<InstallationProgress> {
  const missing = await missingFiles(model, installation, store);
  const received = await Promise.all(
    missing.map(({ path }) => store.received([model, installation.revision, path])),
  );
  const bytes = totalBytes(missing) - received.reduce((sum, each) => sum + each, 0);
  return { missing, missingBytes: Math.max(0, bytes) };
}
