import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where downloads and packs are kept, so that several projects share them. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const caches = env['XDG_CACHE_HOME'] || env['LOCALAPPDATA'] || join(homedir(), '.cache');
  return join(caches, 'slashv1');
}
