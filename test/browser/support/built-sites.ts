import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { buildSite } from '../../../scripts/build-site.ts';
import { defaultPacks } from '../../../scripts/packs.ts';
import { ROOT } from '../../../scripts/stamp.ts';
import type { Listening } from '../../../src/node/serve/listen.ts';
import { createSiteServer } from '../../../src/node/serve/site-server.ts';
import { listenAnywhere, sendJson } from './servers.ts';
import { PACKS } from './site.ts';

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

/** The quick site with other packs: their names, the default model first. */
export function serveQuickSite(packs: string[]): Promise<Listening> {
  const site = createSiteServer(QUICK_SITE);
  const server = createServer((request, response) => {
    const [, name = '', file] = /^\/packs\/([^/]+)(?:\/(.+))?$/.exec(request.url ?? '') ?? [];
    if (name === 'index.json') sendJson(response, { packs: packs.map((pack) => `${pack}/`) });
    else if (file !== undefined && packs.includes(name)) {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      createReadStream(join(PACKS[name] ?? '', file)).pipe(response);
    } else site.emit('request', request, response);
  });
  return listenAnywhere(server);
}
