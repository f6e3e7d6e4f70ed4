import { begin, expect, test } from './support/fixtures.ts';
import { speak } from './support/speak.ts';

test('a private window downloads a model and uses it', async ({ site, newTab, launch }) => {
  const tab = await newTab(site.url, await launch({ isPrivate: true }));
  await begin(tab);
  const { seconds, loudness } = await speak(tab);
  expect(seconds).toBeGreaterThan(1);
  expect(loudness).toBeGreaterThan(0.02);
});
