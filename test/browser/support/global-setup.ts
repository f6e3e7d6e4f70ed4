import { join } from 'node:path';
import { ROOT } from '../../../scripts/build/stamp.ts';
import { ensurePiperPack } from '../../support/onnx/piper-pack.ts';
import { ensureTinyLook } from '../../support/sight/tiny-look.ts';
import { buildSites } from './sites/built-sites.ts';
import { buildTestPage } from './site.ts';

/** Builds everything that the browser tests serve, from the current sources. */
export default async function globalSetup(): Promise<void> {
  await ensurePiperPack(join(ROOT, '.cache'));
  await ensureTinyLook(join(ROOT, '.cache'));
  await buildSites();
  await buildTestPage();
}
