import { expect, openStarted } from '../support/fixtures.ts';
import { flipStoredByte } from '../support/storage/flip-stored-byte.ts';
import { unload } from '../support/models.ts';
import { PIPER } from '../support/site.ts';
import { joe, speak, test } from '../support/media/speaking.ts';

for (const file of ['lexicon/en-US.json', 'onnx/model.onnx']) {
  test(`a voice speaks although its stored ${file} is damaged, which is downloaded again`, async ({
    fresh,
    speechSite,
  }) => {
    const page = await openStarted(fresh, speechSite.url);
    const before = await speak(page, joe('Hello there.'));
    await unload(page, PIPER);
    await page.evaluate(flipStoredByte, [PIPER, file] as const);
    speechSite.requests.length = 0;
    const after = await speak(page, joe('Hello there.'));
    expect(after.seconds).toBeCloseTo(before.seconds, 0);
    const fetched = speechSite.requests.filter((path) => path.startsWith('/packs/test-piper/'));
    expect(fetched).toEqual([`/packs/test-piper/${file}`]);
  });
}
