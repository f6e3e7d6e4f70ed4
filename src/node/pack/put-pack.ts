import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readPackFolder, type PackFolder } from '../pack-files.ts';
import { copyPack } from '../packs-folder.ts';
import { ggufOptions } from './gguf-options.ts';
import { namedPack, PACK_NAMES } from './named-packs.ts';
import { PackError } from './pack-error.ts';
import { withPackSources } from './pack-sources.ts';
import { writePack } from './write-pack.ts';

/**
 * Puts a pack into a site's folder of packs, unless the folder has it already.
 *
 * @param source - the name of a pack that slashv1 can make, the folder of a pack, or a GGUF file
 * @throws GgufError, PackError or Error that says what is wrong with the source
 */
export async function putPack(
  source: string,
  packsFolder: string,
  cache: string,
): Promise<PackFolder> {
  const folder = await sourceFolder(source, cache);
  if (folder !== undefined) return readPackFolder(copyPack(readPackFolder(folder), packsFolder));
  const target = join(packsFolder, packName(source));
  await withPackSources({ checkpoint: source }, ({ llamacpp }) => {
    if (!llamacpp) throw new PackError(`${source} has no GGUF file.`);
    writePack({ llamacpp }, ggufOptions(llamacpp), target);
  });
  return readPackFolder(target);
}

/** The name that a source's folder has below `packs/`. */
export function packName(source: string): string {
  if (source === 'smollm2') return 'smollm2-135m';
  if (source === 'kokoro') return 'kokoro-82m';
  return basename(source).replace(/(-\d{5}-of-\d{5})?\.gguf$/i, '');
}

/** Undefined: the source is a GGUF file. */
async function sourceFolder(source: string, cache: string): Promise<string | undefined> {
  const named = await namedPack(source, cache);
  if (named !== undefined) return named;
  const stats = statSync(source, { throwIfNoEntry: false });
  if (!stats) {
    throw new PackError(
      `There is no file or folder ${source}, and no pack of that name. ` +
        `The names are ${PACK_NAMES.join(', ')}.`,
    );
  }
  return stats.isDirectory() ? source : undefined;
}
