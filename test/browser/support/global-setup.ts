import { join } from 'node:path';
import { buildLibrary } from '../../../scripts/build-library.ts';
import { defaultPacks } from '../../../scripts/packs.ts';
import { ROOT } from '../../../scripts/stamp.ts';
import { ensurePiperPack } from '../../support/piper-pack.ts';
import { buildTestPage } from './site.ts';

/** What the browser tests serve is what is built from the sources as they are. */
export default async function globalSetup(): Promise<void> {
  await buildLibrary();
  await defaultPacks();
  await ensurePiperPack(join(ROOT, '.cache'));
  await buildTestPage();
}
