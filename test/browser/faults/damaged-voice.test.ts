import { expect, openPage } from '../support/fixtures.ts';
import { flipStoredByte } from '../support/flip-stored-byte.ts';
import { PIPER } from '../support/site.ts';
import { joe, speak, test } from '../support/speaking.ts';

for (const file of ['lexicon/en-US.json', 'onnx/model.onnx']) {
  test(`a flipped byte in a voice’s ${file} is found and fetched again, and the text is spoken`, async ({
    fresh,
    speechSite,
  }) => {
    const page = await openPage(fresh, speechSite.url);
    await page.evaluate(() => window.begin());
    const before = await speak(page, joe('Hello there.'));
    await page.evaluate((model) => window.v1.models.unload(model), PIPER);
    await page.evaluate(flipStoredByte, [PIPER, file] as const);
    speechSite.requests.length = 0;
    const after = await speak(page, joe('Hello there.'));
    expect(after.seconds).toBeCloseTo(before.seconds, 0);
    const fetched = speechSite.requests.filter((path) => path.startsWith('/packs/test-piper/'));
    expect(fetched).toEqual([`/packs/test-piper/${file}`]);
  });
}
