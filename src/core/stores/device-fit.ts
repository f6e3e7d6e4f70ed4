import type { CatalogEntry } from './catalog-entry.ts';

/** What of a device decides whether a model can be used on it; undefined: it does not tell. */
export interface Device {
  /** Whether its GPU has `shader-f16`. */
  hasF16?: boolean;
  /** The largest buffer that the GPU binds, bytes. */
  bufferBytes?: number;
  /** How much more the browser lets the site store, bytes. */
  freeBytes?: number;
}

/**
 * `shader-f16`: the GPU lacks it. `buffer-size`: the GPU cannot bind buffers as large as the model's.
 * `storage`: the browser gives less space than is still to be downloaded.
 */
export type Obstacle = 'shader-f16' | 'buffer-size' | 'storage';

/**
 * Why a model cannot be used on a device; empty: as far as can be told, it can.
 *
 * @param missingBytes - how much of it is still to be downloaded; undefined: nobody knows
 */
export function obstacles(
  entry: CatalogEntry,
  missingBytes: number | undefined,
  { hasF16, bufferBytes, freeBytes }: Device,
): Obstacle[] {
  const found: Obstacle[] = [];
  if (hasF16 === false && needsF16(entry)) found.push('shader-f16');
  if (isLess(bufferBytes, entry.bufferBytes)) found.push('buffer-size');
  if (isLess(freeBytes, missingBytes)) found.push('storage');
  return found;
}

/** The hub's models say it; a pack that computes in f16 has it in the name of its quantisation. */
function needsF16({ source, quantization }: CatalogEntry): boolean {
  return source.kind === 'hub' ? source.needsF16 : /^q\d+f16/.test(quantization);
}

function isLess(there: number | undefined, needed: number | undefined): boolean {
  return there !== undefined && needed !== undefined && there < needed;
}
