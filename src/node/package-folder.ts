import { join, dirname } from 'node:path';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The folder of this package. The built code is in fewer files than the sources, so that a path relative to
 * the file at hand would differ.
 */
export const PACKAGE_FOLDER = packageFolder(dirname(fileURLToPath(import.meta.url)));

function packageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder));
}

/** The name of the pack that this package holds. */
export const OWN_PACK = 'tiny-chat';

/** The folder of this pack; undefined: `name` is another pack. */
export function ownPack(name: string): string | undefined {
  return name === OWN_PACK ? join(PACKAGE_FOLDER, 'models/packs', OWN_PACK) : undefined;
}
