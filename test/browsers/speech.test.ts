import { unload } from '../browser/support/models.ts';
import { PIPER } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';
import { speak } from './support/speak.ts';
import { untilKept } from './support/until-kept.ts';

test('the openai package gets speech, also without the network once it was downloaded', async ({
  site,
  newTab,
}) => {
  const tab = await newTab(site.url);
  await begin(tab);
  const first = await speak(tab);
  expect(first.loudness).toBeGreaterThan(0.02);
  expect(first.seconds).toBeGreaterThan(1);
  expect(first.seconds).toBeLessThan(5);
  await untilKept(tab, ['onnx.js'], ['onnx.wasm']);
  // This ends the speech worker, so all its files are needed again.
  await unload(tab, PIPER);
  site.online = false;
  expect((await speak(tab)).seconds).toBeGreaterThan(1);
});
