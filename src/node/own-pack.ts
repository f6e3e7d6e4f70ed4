import { join } from 'node:path';
import { PACKAGE_FOLDER } from './package-folder.ts';

/** The name of the pack that this package holds. */
export const OWN_PACK = 'tiny-chat';

/** The folder of this pack; undefined: `name` is another pack. */
export function ownPack(name: string): string | undefined {
  return name === OWN_PACK ? join(PACKAGE_FOLDER, 'models/packs', OWN_PACK) : undefined;
}
