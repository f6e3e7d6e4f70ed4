import { join } from 'node:path';
import { buildSite } from '../../../../scripts/build/build-site.ts';
import { defaultPacks } from '../../../../scripts/build/packs.ts';
import { ROOT } from '../../../../scripts/build/stamp.ts';
import type { Listening } from '../../../../src/node/serve/listen.ts';
import { createSiteServer } from '../../../../src/node/serve/site-server.ts';
import { listenAnywhere } from '../servers.ts';
import { PACKS } from '../site.ts';

/** The built site with models that load fast. */
export const QUICK_SITE = join(ROOT, '.cache/quick-site');

/** Runs once before all tests: several workers serve the same folders. */
export async function buildSites(): Promise<void> {
  await buildSite({ packs: await defaultPacks() });
  await buildQuickSite();
}

export async function buildQuickSite(): Promise<void> {
  const packs = [PACKS['tiny-chat'] ?? '', PACKS['test-piper'] ?? ''];
  await buildSite({ packs, folder: QUICK_SITE });
}

export function serveFolder(folder: string): Promise<Listening> {
  return listenAnywhere(createSiteServer(folder));
}
