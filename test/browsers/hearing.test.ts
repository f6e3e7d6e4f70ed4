import { unload } from '../browser/support/models.ts';
import { phrases, recording, said, transcribe } from '../browser/support/media/hearing.ts';
import { RECOGNISER } from '../browser/support/site.ts';
import { begin, expect, test } from './support/fixtures.ts';
import { untilKept } from './support/until-kept.ts';

test('a recording is transcribed, also without the network once the model was downloaded', async ({
  site,
  newTab,
}) => {
  const [first, second] = phrases;
  if (!first || !second) throw new Error('There are no phrases.');
  const tab = await newTab(site.url);
  await begin(tab);
  const long = recording(40, [
    { at: 1, phrase: first },
    { at: 36, phrase: second },
  ]);
  const heard = await transcribe(tab, long, { response_format: 'text' });
  expect(heard).toEqual({ status: 200, text: `${first.text} ${second.text}\n` });
  await untilKept(tab, ['onnx.js'], ['onnx.wasm']);
  // This ends the worker, so all its files are needed again.
  await unload(tab, RECOGNISER);
  site.online = false;
  const alone = await transcribe(tab, said(first), { response_format: 'text' });
  expect(alone).toEqual({ status: 200, text: `${first.text}\n` });
});
