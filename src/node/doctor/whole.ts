import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICE_WORKER } from '../../core/site/service-worker-files.ts';
import { notedVersion, VERSION } from '../../core/version.ts';
import { LIBRARY } from '../library-files.ts';
import { PLACEHOLDER } from '../precache.ts';
import type { Fetched } from './fetched.ts';
import { note, problem, type Finding } from './finding.ts';

/** Reads a file of the library by its name; undefined: the library has no such file. */
export type ReadLibrary = (name: string) => Buffer | undefined;

/** Reads the library of this package. */
export const packageFile: ReadLibrary = (name) => {
  const path = join(LIBRARY, name);
  return existsSync(path) ? readFileSync(path) : undefined;
};

/** Finds files that were cut short or changed, by comparing those of this version with the package's own. */
export function checkWhole(files: Fetched[], library: ReadLibrary): Finding[] {
  const noted = files.map(({ text }) => notedVersion(text)).filter((each) => each !== undefined);
  const [version = VERSION] = noted;
  if (version !== VERSION) {
    const command = `npx slashv1@${version} doctor`;
    return [note(`The site has slashv1 ${version}. \`${command}\` compares its files.`)];
  }
  return files
    .filter(({ status, path, text }) => status === 200 && !isOther(path, text))
    .flatMap((file) => checkFile(file, library));
}

/** Whether a script is of another version, or not of slashv1: that is another finding. */
function isOther(path: string, text: string): boolean {
  return path.endsWith('.js') && notedVersion(text) !== VERSION;
}

function checkFile({ path, bytes, text }: Fetched, library: ReadLibrary): Finding[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const own = library(name);
  if (!own || own.equals(bytes)) return [];
  // A build puts the list of its files into the service worker.
  const [begin = '', end = ''] = own.toString().split(PLACEHOLDER);
  const isServiceWorker = name === SERVICE_WORKER.script;
  if (isServiceWorker && text.startsWith(begin) && text.endsWith(end)) return [];
  const how = bytes.length < own.length ? 'cut short' : 'changed';
  const sizes = `${bytes.length} bytes instead of ${own.length}`;
  return [problem(`${path} was ${how}: ${sizes}. Copy it again, as it is.`)];
}
