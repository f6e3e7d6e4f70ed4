import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.ts';
import { ensureDefaultPack } from './default-pack.ts';
import { ensureKokoroPack } from './kokoro-pack.ts';

const TINY_CHAT = 'tiny-chat';

/** Packs that are made in the cache, once, of what is downloaded. */
const MADE: Record<string, (cache: string) => Promise<string>> = {
  smollm2: (cache) => ensureDefaultPack(cache),
  kokoro: (cache) => ensureKokoroPack(cache),
};

/** The packs that slashv1 has or can make by itself. */
export const PACK_NAMES = [TINY_CHAT, ...Object.keys(MADE)];

/** The folder of the pack of that name; undefined: there is none. */
export async function namedPack(name: string, cache: string): Promise<string | undefined> {
  if (Object.hasOwn(MADE, name)) return MADE[name]?.(cache);
  return namedPackHere(name);
}

/** The folder of a pack that this package holds. */
export function namedPackHere(name: string): string | undefined {
  return name === TINY_CHAT ? join(PACKAGE_FOLDER, 'models/packs', TINY_CHAT) : undefined;
}
