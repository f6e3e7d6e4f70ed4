export interface StorageUse {
  /** Bytes that this site has stored. */
  usage: number;
  /** Bytes that the browser lets it store at most. */
  quota: number;
  /** Whether the browser keeps them even if storage runs short. */
  persisted: boolean;
}

/** Undefined if the browser does not say. */
export async function storageUse(): Promise<StorageUse | undefined> {
  try {
    const [{ quota, usage }, persisted] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted(),
    ]);
    return quota === undefined || usage === undefined ? undefined : { quota, usage, persisted };
  } catch {
    return undefined;
  }
}

/** How many more bytes the browser lets this site store; undefined if it does not say. */
export async function freeBytes(): Promise<number | undefined> {
  const use = await storageUse();
  return use && use.quota - use.usage;
}
