import { join } from 'node:path';
import { ownPack } from '../package-folder.ts';
import { readPackFolder } from '../pack-files.ts';
import { hasPack, isIndexCurrent, writePacksIndex } from '../packs-folder.ts';
import { packName, putPack } from '../pack/writing/put-pack.ts';
import { messageOf } from '../../core/text/message-of.ts';

/** The packs of a site. */
export interface SitePacks {
  /** The folder that has `packs/`. */
  folder: string;
  /** Packs in the forms that `putPack` takes. */
  packs: string[];
  /** Packs that are listed first, in this order. The others keep their order. */
  order: string[];
}

/** Puts the packs into a site's folder, and lists them. Other packs in the folder are kept. */
export async function putPacks({ folder, packs, order }: SitePacks, cache: string): Promise<void> {
  const packsFolder = join(folder, 'packs');
  for (const pack of packs) await putPack(pack, packsFolder, cache);
  writePacksIndex(packsFolder, order.map(packName));
}

/** What is wrong with the packs of a site's folder, a sentence for each problem. Downloads nothing. */
export function packProblems({ folder, packs, order }: SitePacks): string[] {
  const packsFolder = join(folder, 'packs');
  const problems = packs.flatMap((pack) => packProblem(join(packsFolder, packName(pack)), pack));
  if (problems.length > 0) return problems;
  const isCurrent = isIndexCurrent(packsFolder, order.map(packName));
  return isCurrent ? [] : ['packs/index.json does not list the packs'];
}

function packProblem(target: string, pack: string): string[] {
  try {
    readPackFolder(target);
  } catch (error) {
    return [messageOf(error)];
  }
  const source = ownPack(pack);
  return source === undefined || hasPack(target, source) ? [] : [`the pack ${pack} is older`];
}
