import type { CatalogStore } from '../../../core/catalog/catalog-store.ts';
import { chooseVariant } from '../../../core/fit/choose-variant.ts';
import type { Device } from '../../../core/fit/device-fit.ts';
import { totalBytes } from '../../../core/catalog/variant.ts';
import { modelNotFound } from '../../../core/errors/errors.ts';
import type { EngineInstallers } from '../installer/engine-installer.ts';
import { hubLicense } from './hub.ts';
import { planInstallation } from '../installer/plan-variant.ts';

interface FactSources {
  catalog: CatalogStore;
  engines: EngineInstallers;
  device: () => Promise<Device>;
  /** URL of the hub, "/" at its end. */
  hub: string;
}

/**
 * Asks the hub for the download size and the licence of a model, and keeps them in the catalog. Skips a
 * model that is not from the hub, or whose size and licence are known.
 *
 * @throws ApiError 404 for an unknown model or repository, 500 if the hub cannot be reached or lacks a file
 */
export async function learnFacts(
  id: string,
  { catalog, engines, device, hub }: FactSources,
  signal: AbortSignal,
): Promise<void> {
  const entry = await catalog.get(id);
  if (!entry) throw modelNotFound(id, 'The catalog does not know it; models.add() adds it.');
  const variant = chooseVariant(entry, await device());
  const { source, bytes } = variant;
  if (source.kind !== 'hub' || (bytes !== undefined && entry.license !== undefined)) return;
  const [{ files }, license] = await Promise.all([
    planInstallation(variant, engines, signal),
    hubLicense(hub, source.repository, signal),
  ]);
  const learnt = { bytes: totalBytes(files), ...(license !== undefined && { license }) };
  await catalog.learn(id, variant.id, learnt);
}
