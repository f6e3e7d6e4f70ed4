import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of this package. The built code is in fewer files than the sources, so that a path relative to
 * the file at hand would differ.
 */
export const PACKAGE_FOLDER = packageFolder(dirname(fileURLToPath(import.meta.url)));

function packageFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : packageFolder(dirname(folder));
}
