import { expectPixels, expectRefused, expectScaled } from './support/images.ts';
import { openPage, test } from './support/fixtures.ts';

test('image files become pixels: turned, on white, the first frame', async ({ profile, site }) => {
  await expectPixels(await openPage(profile, site.url));
});

test('images are scaled down to what a model takes', async ({ profile, site }) => {
  await expectScaled(await openPage(profile, site.url));
});

test('broken and huge images are refused', async ({ profile, site }) => {
  await expectRefused(await openPage(profile, site.url));
});
