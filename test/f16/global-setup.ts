import { buildLibrary } from '../../scripts/build/build-library.ts';
import { buildTestPage } from '../browser/support/site.ts';

/** Builds everything that these tests serve, from the current sources. */
export default async function globalSetup(): Promise<void> {
  await buildLibrary();
  await buildTestPage(['page']);
}
