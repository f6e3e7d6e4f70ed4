import { buildLibrary } from '../../scripts/build-library.ts';
import { buildTestPage } from '../browser/support/site.ts';

/** Builds what these tests serve from the sources as they are. */
export default async function globalSetup(): Promise<void> {
  await buildLibrary();
  await buildTestPage(['page']);
}
