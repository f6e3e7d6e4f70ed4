import { VERSION } from '../../../../core/version.ts';
import type { Database } from '../../../../core/database/database.ts';

/** The types of weights, as ggml numbers them, with which a GPU has computed right products. */
export interface GpuChecks {
  read(): Promise<Set<number>>;
  keep(types: ReadonlySet<number>): Promise<void>;
}

/** Keeps them in the database, for this GPU, browser and build: another driver comes with another name or browser. */
export function storedChecks(
  open: () => Promise<Database>,
  { vendor, architecture, device, description }: GPUAdapterInfo,
): GpuChecks {
  const key = [vendor, architecture, device, description, navigator.userAgent, VERSION].join('|');
  return {
    read: async () => new Set(await (await open()).get('checks', key)),
    keep: async (types) => void (await (await open()).put('checks', [...types], key)),
  };
}
