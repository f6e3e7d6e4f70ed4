import { OWN_PACK, ownPack } from '../../package-folder.ts';
import { ensureDefaultPack } from '../writing/default-pack.ts';
import { ensureKokoroPack } from '../writing/kokoro-pack.ts';

/** Packs that are made once, in the cache, from downloaded files. */
const MADE: Record<string, (cache: string) => Promise<string>> = {
  smollm2: (cache) => ensureDefaultPack(cache),
  kokoro: (cache) => ensureKokoroPack(cache),
};

/** The packs that slashv1 has or can make by itself. */
export const PACK_NAMES = [OWN_PACK, ...Object.keys(MADE)];

/** The folder of the pack of that name; undefined: there is none. */
export async function namedPack(name: string, cache: string): Promise<string | undefined> {
  if (Object.hasOwn(MADE, name)) return MADE[name]?.(cache);
  return ownPack(name);
}
