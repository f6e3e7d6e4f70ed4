import { join } from 'node:path';
import { ROOT } from '../../../scripts/build/stamp.ts';
import { buildQuickSite } from '../../browser/support/sites/built-sites.ts';
import { buildTestPage } from '../../browser/support/site.ts';
import { ensurePiperPack } from '../../support/onnx/piper-pack.ts';

/** Builds everything that these tests serve, from the current sources. */
export default async function globalSetup(): Promise<void> {
  await ensurePiperPack(join(ROOT, '.cache'));
  await buildQuickSite();
  await buildTestPage(['page', 'frame-page', 'image-worker', 'database-worker']);
}
