import { join } from 'node:path';
import { ensureDefaultPack } from '../src/node/pack/default-pack.ts';
import { ROOT } from './stamp.ts';

/** Folders of the packs of our own site, made if need be; the first is the default model. */
export async function defaultPacks(): Promise<string[]> {
  return [await ensureDefaultPack(join(ROOT, '.cache')), join(ROOT, 'models/packs/tiny-chat')];
}
