import { join } from 'node:path';
import { ensureDefaultPack } from '../src/node/pack/default-pack.ts';
import { ensureKokoroPack } from '../src/node/pack/kokoro-pack.ts';
import { ROOT } from './stamp.ts';

/** Folders of the packs of our own site, made if need be; the first is the default model, the last one speaks. */
export async function defaultPacks(): Promise<string[]> {
  const cache = join(ROOT, '.cache');
  const chat = await ensureDefaultPack(cache);
  return [chat, join(ROOT, 'models/packs/tiny-chat'), await ensureKokoroPack(cache)];
}
