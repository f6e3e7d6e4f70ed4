import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { splitParts } from '../../core/files/gguf/gguf-split.ts';
import { readPackFolder } from '../pack-files.ts';
import { UsageError } from '../command-line.ts';
import type { ServedFiles } from './site-server.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** A model on this computer, and where the site's server offers it to the page. */
interface OwnModel {
  /** URL path of the model's folder, or of the first part of its file. */
  path: string;
  files: ServedFiles;
}

/** Models, and the files on this computer that are served for them. */
export interface FoundModels {
  /** The models as `models.add` of a page takes them, in the same order. @param origin - of the site's server */
  at(origin: string): string[];
  files: ServedFiles;
}

/** URL folder of these models. No site has such a folder, and only the command line puts files into it. */
const FOLDER = '/slashv1-model/';

/**
 * What `--model` names: GGUF files and pack folders on this computer get URLs.
 *
 * @throws UsageError if a file is missing or is not a model, or if two models would have one URL
 */
export function findModels(given: readonly string[]): FoundModels {
  const models = given.map((model) => ({ model, own: findOwnModel(model) }));
  const files = new Map<string, string>();
  for (const { model, own } of models) {
    for (const [url, path] of own?.files ?? []) {
      if ((files.get(url) ?? path) !== path) {
        throw new UsageError(`--model: two models are named ${basename(model)}. Rename one.`);
      }
      files.set(url, path);
    }
  }
  const at = (origin: string) => models.map(({ model, own }) => (own ? origin + own.path : model));
  return { at, files };
}

/** A model on this computer; undefined: `model` is an id, a repository or a URL. */
function findOwnModel(model: string): OwnModel | undefined {
  const stats = statSync(model, { throwIfNoEntry: false });
  if (stats?.isDirectory() && existsSync(join(model, 'manifest.json'))) return packFolder(model);
  const isFile = stats?.isFile() ?? false;
  if (!isFile && !/^[^:]+\.gguf$/i.test(model)) return undefined;
  if (!isFile) throw new UsageError(`--model: there is no file ${resolve(model)}.`);
  if (!/\.gguf$/i.test(model)) throw new UsageError(`--model: ${model} is not a .gguf file.`);
  return ggufFile(resolve(model));
}

function packFolder(folder: string): OwnModel {
  const { name, path, files } = readPack(folder);
  const base = `${FOLDER}${encodeURIComponent(name)}/`;
  const urls = files.map((file) => file.split('/').map(encodeURIComponent).join('/'));
  return {
    path: base,
    files: new Map(files.map((file, at) => [`${base}${urls[at]}`, join(path, file)])),
  };
}

function readPack(folder: string) {
  try {
    return readPackFolder(folder);
  } catch (error) {
    throw new UsageError(`--model: ${messageOf(error)}`);
  }
}

function ggufFile(path: string): OwnModel {
  const names = splitParts(basename(path));
  const missing = names.find((name) => !existsSync(join(dirname(path), name)));
  if (missing !== undefined) {
    throw new UsageError(`--model: a part of ${path} is missing: ${missing}.`);
  }
  const urls = names.map((name) => FOLDER + encodeURIComponent(name));
  const files = new Map(names.map((name, index) => [urls[index] ?? '', join(dirname(path), name)]));
  return { path: urls[0] ?? '', files };
}
