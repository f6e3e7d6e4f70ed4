import { buildLibrary } from '../../../scripts/build-library.ts';
import { defaultPacks } from '../../../scripts/packs.ts';
import { buildTestPage } from './site.ts';

/** What the browser tests serve is what is built from the sources as they are. */
export default async function globalSetup(): Promise<void> {
  await buildLibrary();
  await defaultPacks();
  await buildTestPage();
}
