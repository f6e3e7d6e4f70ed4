import {
  expectCutFiles,
  expectCutPhotos,
  expectPixels,
  expectRefused,
  expectScaled,
  expectTurnedPhotos,
} from '../support/media/images.ts';
import { openPage, test } from '../support/fixtures.ts';

test('image files become pixels: turned, on white, the first frame', async ({ profile, site }) => {
  await expectPixels(await openPage(profile, site.url));
});

test('images are scaled down to what a model takes', async ({ profile, site }) => {
  await expectScaled(await openPage(profile, site.url));
});

test('photos are turned at every size', async ({ profile, site }) => {
  const page = await openPage(profile, site.url);
  await expectTurnedPhotos(page);
  await expectCutPhotos(page);
});

test('broken, cut and huge images are refused', async ({ profile, site }) => {
  const page = await openPage(profile, site.url);
  await expectRefused(page);
  await expectCutFiles(page);
});
