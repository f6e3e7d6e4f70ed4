import { join } from 'node:path';
import { ROOT } from '../../../scripts/stamp.ts';
import { ensurePiperPack } from '../../support/piper-pack.ts';
import { buildSites } from './built-sites.ts';
import { buildTestPage } from './site.ts';

/** What the browser tests serve is what is built from the sources as they are. */
export default async function globalSetup(): Promise<void> {
  await ensurePiperPack(join(ROOT, '.cache'));
  await buildSites();
  await buildTestPage();
}
