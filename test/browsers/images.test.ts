import {
  expectPixels,
  expectCutFiles,
  expectCutPhotos,
  expectRefused,
  expectScaled,
  expectTurnedPhotos,
} from '../browser/support/media/images.ts';
import { test } from './support/fixtures.ts';

test('image files become pixels: turned, on white, the first frame, as large as a model takes', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  await expectPixels(tab);
  await expectScaled(tab);
  await expectTurnedPhotos(tab);
  await expectCutPhotos(tab);
  await expectCutFiles(tab);
  await expectRefused(tab);
});
