import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPackFolder, type PackFolder } from '../../pack-files.ts';
import { copyPack } from '../../packs-folder.ts';
import { ggufOptions } from '../gguf-options.ts';
import type { GgufModel } from '../formats/gguf-model.ts';
import { downloadFromHub, hubModel, type HubModel } from '../sources/hub-gguf.ts';
import { ownerOf, type ModelOptions } from '../model-options.ts';
import { namedPack, PACK_NAMES } from '../sources/named-packs.ts';
import { PackError } from '../pack-error.ts';
import { withPackSources } from '../sources/pack-sources.ts';
import { writePack } from './write-pack.ts';

/**
 * Puts a pack into a site's folder of packs, unless the folder has it already.
 *
 * @param source - the name of a pack that slashv1 can make, the folder of a pack, a GGUF file, or a
 *   repository on the hub that has one
 * @throws GgufError, PackError or Error that says what is wrong with the source
 */
export async function putPack(
  source: string,
  packsFolder: string,
  cache: string,
): Promise<PackFolder> {
  const named = await namedPack(source, cache);
  const target = join(packsFolder, packName(source));
  const stats = statSync(source, { throwIfNoEntry: false });
  if (named !== undefined || stats?.isDirectory()) {
    return readPackFolder(copyPack(readPackFolder(named ?? source), packsFolder));
  }
  const fromHub = hubModel(source);
  if (stats) await packGguf(source, target, ggufOptions);
  else if (fromHub) await packFromHub(fromHub, target, cache);
  else throw new PackError(`${unknown(source)} The names are ${PACK_NAMES.join(', ')}.`);
  return readPackFolder(target);
}

/** The name that a source's folder has below `packs/`. */
export function packName(source: string): string {
  if (source === 'smollm2') return 'smollm2-135m';
  if (source === 'kokoro') return 'kokoro-82m';
  const path = hubModel(source)?.repository ?? source;
  return basename(path).replace(/(-\d{5}-of-\d{5})?\.gguf$/i, '');
}

function unknown(source: string): string {
  return `There is no file or folder ${source}, and no pack of that name.`;
}

async function packGguf(
  path: string,
  target: string,
  describe: (model: GgufModel) => ModelOptions,
): Promise<void> {
  await withPackSources({ checkpoint: path }, ({ llamacpp }) => {
    if (!llamacpp) throw new PackError(`${path} is not a GGUF file.`);
    writePack({ llamacpp }, describe(llamacpp), target);
  });
}

/** Packs a model of the hub. The model's id is the repository's name, as when a page adds it. */
async function packFromHub(model: HubModel, target: string, cache: string): Promise<void> {
  const { repository: id } = model;
  const { path, license } = await downloadFromHub(model, cache);
  await packGguf(path, target, ({ origin }) => ({
    id,
    ownedBy: ownerOf(id),
    created: 0,
    license: license ?? origin.license ?? 'unknown',
  }));
}
