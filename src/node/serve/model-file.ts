import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { splitParts } from '../../core/gguf/gguf-split.ts';
import { UsageError } from '../usage-error.ts';
import type { ServedFiles } from './site-server.ts';

/** A model on this computer, and where the site's server offers it to the page. */
export interface ModelFile {
  /** Of its first part: path of the URL. */
  path: string;
  /** All parts. */
  files: ServedFiles;
}

/** Folder of the URLs. No site has it: it is not in the page's reach without the command line. */
const FOLDER = '/slashv1-model/';

/**
 * The GGUF file that `--model` names.
 *
 * @returns undefined if it names no file: it is an id, a repository or a URL
 * @throws UsageError if there is no such file, or a part of it is missing
 */
export function findModelFile(model: string): ModelFile | undefined {
  const isFile = statSync(model, { throwIfNoEntry: false })?.isFile() ?? false;
  if (!isFile && !/^[^:]+\.gguf$/i.test(model)) return undefined;
  if (!isFile) throw new UsageError(`--model: there is no file ${resolve(model)}.`);
  if (!/\.gguf$/i.test(model)) throw new UsageError(`--model: ${model} is not a .gguf file.`);
  const path = resolve(model);
  const names = splitParts(basename(path));
  const missing = names.find((name) => !existsSync(join(dirname(path), name)));
  if (missing !== undefined) {
    throw new UsageError(`--model: a part of ${model} is missing: ${missing}.`);
  }
  const urls = names.map((name) => FOLDER + encodeURIComponent(name));
  const files = new Map(names.map((name, index) => [urls[index] ?? '', join(dirname(path), name)]));
  return { path: urls[0] ?? '', files };
}
