import { join } from 'node:path';
import { ensureDefaultPack } from '../../src/node/pack/writing/default-pack.ts';
import { ensureKokoroPack } from '../../src/node/pack/writing/kokoro-pack.ts';
import { ROOT } from './stamp.ts';

/**
 * Folders of our own site's packs, which are made if they are missing. The first is the default model, the
 * last is the speech model.
 */
export async function defaultPacks(): Promise<string[]> {
  const cache = join(ROOT, '.cache');
  const chat = await ensureDefaultPack(cache);
  return [chat, join(ROOT, 'models/packs/tiny-chat'), await ensureKokoroPack(cache)];
}
